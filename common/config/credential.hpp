#pragma once

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

    /// What it is now. As it was at the start while its file cannot be read or is empty. Reads the file:
    /// some microseconds where Kubernetes mounts it.
    [[nodiscard]] Secret now() const;
    [[nodiscard]] bool empty() const noexcept { return at_start_.empty(); }
    [[nodiscard]] bool may_change() const noexcept { return file_.has_value(); }

private:
    std::optional<SecretReference> file_;
    Secret at_start_;
};

/// {file: PATH} or {env: NAME}; none where the key is missing.
[[nodiscard]] Credential read_password(Section& section, std::string_view key, Problems& problems);
/// The same, or the name itself.
[[nodiscard]] Credential read_user(Section& section, std::string_view key, Problems& problems);

}  // namespace sluice::config
