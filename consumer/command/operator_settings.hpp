#pragma once

#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/command/signature.hpp"

namespace sluice::command {

/// The optional `operators:` section, without its secrets.
struct OperatorSettings {
    struct Key {
        std::string id;
        std::string operator_name;
        config::SecretReference value;
    };
    std::vector<Key> keys;  ///< sluicectl signs with the first that may; the retry role believes all
};

/// The shortest secret: as many bytes as an HMAC of SHA-256 has.
inline constexpr std::size_t shortest_operator_key = 32;

/// Whoever neither signs nor verifies reads it without touching a secret.
[[nodiscard]] OperatorSettings read_operators(const config::Document& document);

/// With their secrets. One that cannot be read, or is shorter than `shortest_operator_key`, is a problem at
/// its place.
[[nodiscard]] std::vector<OperatorKey> resolve_keys(const OperatorSettings& settings,
                                                    config::Problems& problems);

/// Both at once, of a file. Throws config::Refused with every problem.
[[nodiscard]] std::vector<OperatorKey> operator_keys_in(const std::string& file);

}  // namespace sluice::command
