#pragma once

#include <cstddef>
#include <string>

#include "common/config/problems.hpp"
#include "common/secret.hpp"

namespace sluice::config {

inline constexpr std::size_t most_secret_bytes = 64 * 1024;

/// Where a secret lies; configuration files never hold one.
struct SecretReference {
    enum class Kind { file, env };
    Kind kind = Kind::file;
    std::string name;  ///< path or variable
    Place place;

    [[nodiscard]] std::string text() const;  ///< "file /run/secrets/redis", for messages
};

/// Reads it: the whole file or variable, one trailing line end removed. Missing, unreadable, empty
/// or over 64 KiB is a problem at the reference's place, and an empty Secret comes back.
[[nodiscard]] Secret resolve(const SecretReference& reference, Problems& problems);

}  // namespace sluice::config
