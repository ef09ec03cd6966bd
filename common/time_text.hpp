#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"

namespace sluice {

/// RFC 3339 in UTC with microseconds: 2026-11-21T19:03:22.123456Z
[[nodiscard]] std::string to_rfc3339(WallTime t);
void append_rfc3339(std::string& text, WallTime t);
/// Into room for `rfc3339_size` characters; where they end.
inline constexpr std::size_t rfc3339_size = 27;
char* write_rfc3339(char* room, WallTime t);

/// RFC 3339 section 5.6, with any offset and 0 to 9 digits of fraction; nullopt for anything else, and for
/// instants whose year to_rfc3339 cannot write in four digits: before the year 0 or after 9999 in UTC.
[[nodiscard]] std::optional<WallTime> from_rfc3339(std::string_view text);

/// A UTC day as 2026-11-21, and back.
[[nodiscard]] std::string to_text(std::chrono::sys_days day);
void append_day(std::string& text, std::chrono::sys_days day);
[[nodiscard]] std::optional<std::chrono::sys_days> day_from_text(std::string_view text);

/// The UTC day that an instant lies in.
[[nodiscard]] std::chrono::sys_days day_of(WallTime t);

/// "900ms", "10s", "5m", "72h", "90d": digits and one unit, nothing else. Configuration only.
[[nodiscard]] std::optional<std::chrono::milliseconds> duration_from_text(std::string_view text);

}  // namespace sluice
