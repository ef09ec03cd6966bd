#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/clock.hpp"

namespace sluice::verify {

/// 1 to 12 plain digits, in seconds since 1970: no sign, no space, no fraction.
[[nodiscard]] constexpr std::optional<std::int64_t> timestamp_from(std::string_view text) noexcept {
    if (text.empty() || text.size() > 12) return std::nullopt;
    std::int64_t seconds = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        seconds = seconds * 10 + (c - '0');
    }
    return seconds;
}

/// Age of a timestamp in whole seconds, as the providers' SDKs count it: a fraction of a second
/// that has begun does not count. Negative when it lies ahead.
[[nodiscard]] constexpr std::int64_t age_of(std::int64_t timestamp, WallTime now) noexcept {
    return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count() - timestamp;
}

}  // namespace sluice::verify
