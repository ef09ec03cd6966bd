#pragma once

#include <cstddef>
#include <string>

#include "common/config/problems.hpp"
#include "common/crypto/digest.hpp"
#include "common/secret.hpp"

namespace sluice::config {

inline constexpr std::size_t most_secret_bytes = 64 * 1024;

/// Where a secret is kept; configuration files never hold one.
struct SecretReference {
    enum class Kind { file, env };
    Kind kind = Kind::file;
    std::string name;  ///< path or variable
    Place place;

    [[nodiscard]] std::string text() const;  ///< "file /run/secrets/redis", for messages
};

/// Reads it: the whole file or variable, one trailing line end removed. Missing, unreadable, empty
/// or over 64 KiB is a problem at the reference's place, and the result is an empty Secret.
[[nodiscard]] Secret resolve(const SecretReference& reference, Problems& problems);

/// To detect whether a file changed: the digest of its first `most` bytes, of which no copy stays in memory.
/// A file that cannot be read counts as empty.
[[nodiscard]] crypto::Digest digest_of_content(const std::string& path, std::size_t most);

}  // namespace sluice::config
