#pragma once

#include <string_view>

namespace sluice::webhook {

/// Without characters of `white` at both ends.
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text,
                                                 std::string_view white = " \t") noexcept {
    const std::size_t first = text.find_first_not_of(white);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(white) - first + 1);
}

}  // namespace sluice::webhook
