#pragma once

#include <algorithm>
#include <string_view>

namespace sluice::webhook {

/// Names of sources, recipes and providers: [a-z0-9-]{1,63}. They become metric labels, parts of
/// record keys and of paths.
[[nodiscard]] constexpr bool is_name(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 63 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

/// Settings of a recipe: [a-z0-9_]{1,63}.
[[nodiscard]] constexpr bool is_setting_name(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 63 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
}

/// Principals and key ids: letters, digits and . _ : - up to 128. No slash: a record key is
/// <provider>/<principal>/<object>.
[[nodiscard]] constexpr bool is_label(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 128 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '_' || c == ':' || c == '-';
    });
}

/// Header names: RFC 9110 tokens, without the characters that no provider uses.
[[nodiscard]] constexpr bool is_header_name(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    });
}

}  // namespace sluice::webhook
