#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "common/config/secret_reference.hpp"
#include "common/config/section.hpp"
#include "common/secret.hpp"

namespace sluice::config {

/// A user name or a password. One that is kept in a file is read again at each login, so that a rotated one
/// counts without a restart. Thread-safe.
class Credential {
public:
    Credential() = default;                      ///< none
    explicit Credential(std::string_view text);  ///< as it stands; never changes
    /// Reads it; a problem, and none, where `resolve` says so.
    Credential(const SecretReference& reference, Problems& problems);

    /// What it is now; what it was last while its file cannot be read or is empty. Reads the file: some
    /// microseconds where Kubernetes mounts it.
    [[nodiscard]] Secret now() const;
    [[nodiscard]] bool empty() const noexcept { return state_ == nullptr; }
    [[nodiscard]] bool may_change() const noexcept { return state_ && state_->file; }

private:
    struct State {
        std::optional<SecretReference> file;  ///< that can be read again: no pipe
        std::mutex mutex;
        Secret last;
    };
    explicit Credential(Secret first);
    std::unique_ptr<State> state_;  // null: none
};

/// {file: PATH} or {env: NAME}; none where the key is missing.
[[nodiscard]] Credential read_password(Section& section, std::string_view key, Problems& problems);
/// The same, or the name itself.
[[nodiscard]] Credential read_user(Section& section, std::string_view key, Problems& problems);

}  // namespace sluice::config
