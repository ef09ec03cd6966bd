#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"

/// Grammars of scalars that have no other home (durations and instants: common/time_text.hpp).
namespace sluice::config {

/// Decimal digits with an optional minus sign; no leading zeros, no plus, nothing else.
[[nodiscard]] std::optional<std::int64_t> integer_from_text(std::string_view text);

/// Decimal digits, optionally a point and more digits; no sign, no exponent, nothing else.
[[nodiscard]] std::optional<double> fraction_from_text(std::string_view text);

/// Bytes: a plain number, or one with KiB, MiB or GiB.
[[nodiscard]] std::optional<std::int64_t> size_from_text(std::string_view text);

/// What duration_from_text and size_from_text read, in the largest unit that leaves no remainder.
[[nodiscard]] std::string duration_text(Milliseconds duration);
[[nodiscard]] std::string size_text(std::int64_t bytes);

/// `text` in quotes for a message, cut if it is long.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace sluice::config
