#pragma once

#include <algorithm>
#include <string_view>

#include "common/http/grammar.hpp"

/// Character classes of RFC 9110 and 9112, narrowed to what we take.
namespace sluice::gate {

using http::is_token;
using http::is_token_character;
using http::is_value_character;
using http::lower;

inline constexpr http::Characters target_characters =
    http::letters_digits_and("-._~:/?#[]@!$&'()*+,;=%");  // RFC 3986 section 2

constexpr bool is_target_character(char c) noexcept {
    return target_characters[static_cast<unsigned char>(c)];
}

/// A name or an address, with a port or not: visible, and nothing that would end a host in a URL or begin
/// another one.
inline constexpr http::Characters host_characters =
    http::letters_digits_and("!$%&'()*+-.:;=[]_~");  // RFC 3986 section 3.2.2

constexpr bool is_host_character(char c) noexcept {
    return host_characters[static_cast<unsigned char>(c)];
}
constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t';
}

/// What RFC 9110 section 5.5 calls obs-text: readers do not agree on its meaning.
constexpr bool is_obs_text(char c) noexcept {
    return static_cast<unsigned char>(c) > 0x7f;
}
constexpr bool has_obs_text(std::string_view text) noexcept {
    return std::ranges::any_of(text, is_obs_text);
}
constexpr bool is_field_character(char c) noexcept {
    return is_value_character(c) || is_obs_text(c);
}

/// Ignores case; `lower_case` is lower case already.
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
