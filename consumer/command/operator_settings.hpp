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
    std::vector<store::ActionKind> two_for;  ///< commands that take two operators (approval.hpp)
};

/// What the retry role goes by.
struct Operators {
    std::vector<OperatorKey> keys;
    std::vector<store::ActionKind> two_for;
};

/// The shortest secret: as many bytes as an HMAC of SHA-256 has.
inline constexpr std::size_t shortest_operator_key = 32;

/// A program that neither signs nor verifies reads it without touching a secret.
[[nodiscard]] OperatorSettings read_operators(const config::Document& document);

/// With its secret. One that cannot be read, or is shorter than `shortest_operator_key`, is a problem at its
/// place.
[[nodiscard]] OperatorKey resolve_key(const OperatorSettings::Key& key, config::Problems& problems);

/// All of them. Where two operators are asked for, one secret under two names is a problem too: its holder
/// would be both.
[[nodiscard]] std::vector<OperatorKey> resolve_keys(const OperatorSettings& settings,
                                                    config::Problems& problems);

/// Both at once, of a file. Throws config::Refused with every problem.
[[nodiscard]] Operators operators_in(const std::string& file);

}  // namespace sluice::command
