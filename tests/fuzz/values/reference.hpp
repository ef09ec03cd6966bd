#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/webhook/body/json_view.hpp"

/// What the table in docs/configuration.md makes of values, written apart: by text alone, without the
/// converters' code. Nothing: the event parks.
namespace sluice::fuzz {

/// A value as it stands in the body.
struct Standing {
    webhook::JsonType type;
    std::string text;     ///< a string's own, or the letters of another
    std::string letters;  ///< as they are written
};

[[nodiscard]] std::optional<std::int64_t> whole_number(const Standing& value);
[[nodiscard]] std::optional<std::int64_t> minor_units(const Standing& value, int scale);
[[nodiscard]] std::optional<std::string> decimal(const Standing& value, int scale);
[[nodiscard]] std::optional<std::string> bytes_of_hex(const Standing& value);
[[nodiscard]] std::optional<std::string> bytes_of_base64(const Standing& value);
[[nodiscard]] std::string without_space(std::string_view json);
/// 14 digits that a clock shows which is eight hours ahead of UTC.
[[nodiscard]] std::optional<WallTime> compact_time(const Standing& value);
/// A number of seconds or of `per_second` parts of them since 1970, written as an integer or as digits.
[[nodiscard]] std::optional<WallTime> unix_time(const Standing& value, std::int64_t per_second);

}  // namespace sluice::fuzz
