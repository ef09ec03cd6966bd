#pragma once

#include <algorithm>
#include <array>
#include <string_view>

/// What RFC 9110 allows in HTTP fields, narrowed to ASCII, which is all that we take and send.
namespace sluice::http {

using Characters = std::array<bool, 256>;

/// Letters and digits, and `others`.
consteval Characters letters_digits_and(std::string_view others) {
    Characters set{};
    for (const char c : others) set[static_cast<unsigned char>(c)] = true;
    for (unsigned char c = '0'; c <= '9'; ++c) set[c] = true;
    for (unsigned char c = 'a'; c <= 'z'; ++c) set[c] = true;
    for (unsigned char c = 'A'; c <= 'Z'; ++c) set[c] = true;
    return set;
}

inline constexpr Characters token_characters = letters_digits_and("!#$%&'*+-.^_`|~");  // section 5.6.2

constexpr bool is_token_character(char c) noexcept {
    return token_characters[static_cast<unsigned char>(c)];
}
/// A method, the name of a field.
constexpr bool is_token(std::string_view text) noexcept {
    return !text.empty() && std::ranges::all_of(text, is_token_character);
}

/// Visible ASCII, space and tab. Bytes above 0x7f mean different things to different readers, so they are
/// refused.
consteval Characters visible_and_blank() {
    Characters set{};
    for (unsigned char c = 0x20; c < 0x7f; ++c) set[c] = true;
    set['\t'] = true;
    return set;
}

inline constexpr Characters value_characters = visible_and_blank();  // section 5.5

constexpr bool is_value_character(char c) noexcept {
    return value_characters[static_cast<unsigned char>(c)];
}

constexpr char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace sluice::http
