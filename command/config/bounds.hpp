#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/value/parameters.hpp"

namespace sluice::command {

/// What a parameter of a command may be, beyond its type.
struct Bounds {
    std::int64_t least = 0;  ///< whole numbers
    std::int64_t most = 0;
    std::int64_t longest = 0;  ///< texts: characters
};

struct Bounded {
    effects::Parameter parameter;
    Bounds bounds;
};

/// One entry of `parameters:`: {at: POINTER, type: text, longest: N, optional: true}, or type integer with
/// least and most, boolean, time. What is wrong goes to the section's problems.
[[nodiscard]] Bounded read_bounded(std::string name, config::Section section);

/// Why `value` is out of bounds, as a sentence for the caller: ":price must be from 1 to 100000". nullopt: it
/// is not, or is not there. Pure.
[[nodiscard]] std::optional<std::string> objection_to(const store::Datum& value, const Bounded& allowed);

/// Problems of `effect`, the entry as it stands: a message's key that is a text which may be longer than what
/// the outbox holds. It would fail in the middle of the effect.
void check_message_keys(const config::Value& effect, const std::vector<Bounded>& parameters);

}  // namespace sluice::command
