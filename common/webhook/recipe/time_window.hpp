#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "common/clock.hpp"
#include "common/webhook/http/digits.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// When a request was signed, as exactly as it says.
struct SignedAt {
    std::chrono::milliseconds since_1970{0};
    bool is_whole_seconds = true;
};

/// Plain digits without sign, space or fraction: 1 to 12 for seconds, 1 to 15 for milliseconds. No leading
/// zero, since SDKs that read a number sign the number they read; where it may be either, they sign the text.
[[nodiscard]] constexpr std::optional<SignedAt> timestamp_from(std::string_view text,
                                                               TimeUnit unit) noexcept {
    constexpr std::size_t digits_of_milliseconds = 13;  // from 2001 to 2286
    const bool is_milliseconds =
        unit == TimeUnit::milliseconds || (unit == TimeUnit::either && text.size() == digits_of_milliseconds);
    if (unit != TimeUnit::either && text.size() > 1 && text.front() == '0') return std::nullopt;
    const auto count = plain_digits(text, is_milliseconds ? 15 : 12);
    if (!count) return std::nullopt;
    return SignedAt{std::chrono::milliseconds{is_milliseconds ? *count : *count * 1000}, !is_milliseconds};
}

/// How long ago that was; negative when it lies ahead. Whole seconds are counted as the providers' SDKs
/// do it: a fraction of a second that has begun does not count.
[[nodiscard]] constexpr std::chrono::milliseconds age_of(const SignedAt& signed_at, WallTime now) noexcept {
    const auto since_1970 = now.time_since_epoch();
    const std::chrono::milliseconds counted =
        signed_at.is_whole_seconds
            ? std::chrono::milliseconds{std::chrono::floor<std::chrono::seconds>(since_1970)}
            : std::chrono::floor<std::chrono::milliseconds>(since_1970);
    return counted - signed_at.since_1970;
}

}  // namespace sluice::webhook
