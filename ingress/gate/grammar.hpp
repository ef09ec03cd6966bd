#pragma once

#include <algorithm>
#include <array>
#include <string_view>

/// Character classes of RFC 9110 and 9112, narrowed to what we take.
namespace sluice::gate {

namespace detail {

using Table = std::array<bool, 256>;

/// Letters and digits, and `others`.
consteval Table table_of(std::string_view others) {
    Table table{};
    for (const char c : others) table[static_cast<unsigned char>(c)] = true;
    for (unsigned char c = '0'; c <= '9'; ++c) table[c] = true;
    for (unsigned char c = 'a'; c <= 'z'; ++c) table[c] = true;
    for (unsigned char c = 'A'; c <= 'Z'; ++c) table[c] = true;
    return table;
}

/// Visible ASCII, space and tab.
consteval Table table_of_values() {
    Table table{};
    for (unsigned char c = 0x20; c < 0x7f; ++c) table[c] = true;
    table['\t'] = true;
    return table;
}

inline constexpr Table value = table_of_values();
inline constexpr Table token = table_of("!#$%&'*+-.^_`|~");
inline constexpr Table target = table_of("-._~:/?#[]@!$&'()*+,;=%");  // RFC 3986 section 2

}  // namespace detail

constexpr bool is_token_character(char c) noexcept {
    return detail::token[static_cast<unsigned char>(c)];
}
constexpr bool is_target_character(char c) noexcept {
    return detail::target[static_cast<unsigned char>(c)];
}
constexpr bool is_token(std::string_view text) noexcept {
    return !text.empty() && std::ranges::all_of(text, is_token_character);
}
constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t';
}
constexpr bool is_visible(char c) noexcept {
    return c > 0x20 && c < 0x7f;
}
/// Field values: visible ASCII, space and tab. Bytes above 0x7f mean different things to different
/// readers, so they are refused.
constexpr bool is_value_character(char c) noexcept {
    return detail::value[static_cast<unsigned char>(c)];
}

constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

/// Without case; `lower_case` is lower case already.
constexpr bool equals(std::string_view text, std::string_view lower_case) noexcept {
    return text.size() == lower_case.size() &&
           std::ranges::equal(text, lower_case, [](char a, char b) { return lower(a) == b; });
}

/// Whether a name with underscores is `name` to a proxy or an application that maps them to dashes.
constexpr bool equals_with_dashes(std::string_view underscored, std::string_view name) noexcept {
    return std::ranges::equal(underscored, name,
                              [](char a, char b) { return (a == '_' ? '-' : lower(a)) == lower(b); });
}

constexpr std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace sluice::gate
