#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice::webhook {

/// 1 to `most` plain digits, without sign, space or fraction; `most` is 18 at most, so that they fit.
[[nodiscard]] constexpr std::optional<std::int64_t> plain_digits(std::string_view text,
                                                                 std::size_t most) noexcept {
    if (text.empty() || text.size() > most) return std::nullopt;
    std::int64_t number = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') return std::nullopt;
        number = number * 10 + (c - '0');
    }
    return number;
}

}  // namespace sluice::webhook
