#include "tests/fuzz/json/json_mask.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

namespace sluice::fuzz {

namespace {

constexpr std::string_view largest_integer = "18446744073709551615";
constexpr std::string_view some_real = "0.0";
constexpr std::string_view ends_of_number = ",:]}[{\" \t\r\n";
constexpr std::size_t escape_size = half_pair_escape.size();

/// The code unit of the `\uXXXX` that begins here.
std::optional<std::uint16_t> code_unit_at(std::string_view text, std::size_t at) {
    if (!text.substr(at).starts_with("\\u")) return std::nullopt;
    const std::string_view digits = text.substr(at + 2, 4);
    std::uint16_t unit = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, unit, 16);
    if (digits.size() != 4 || stop != end || error != std::errc{}) return std::nullopt;
    return unit;
}

constexpr bool is_in(std::optional<std::uint16_t> unit, std::uint16_t first, std::uint16_t last) {
    return unit && *unit >= first && *unit <= last;
}

/// The escape that begins here: its length (of the whole pair, for a pair), and whether it is half of one.
struct Escape {
    std::size_t size = 0;
    bool is_half = false;
};

Escape escape_at(std::string_view text, std::size_t at) {
    const auto unit = code_unit_at(text, at);
    if (!unit) return {.size = 2};
    const bool is_high = is_in(unit, 0xd800, 0xdbff);
    if (is_high && is_in(code_unit_at(text, at + escape_size), 0xdc00, 0xdfff)) return {2 * escape_size};
    return {escape_size, is_in(unit, 0xd800, 0xdfff)};
}

/// Calls `on_half` with the place of each escaped half in the string whose first quote is at `at`. Returns
/// the place after the string.
template <class OnHalf>
std::size_t walk_string(std::string_view text, std::size_t at, OnHalf on_half) {
    ++at;
    while (at < text.size() && text[at] != '"') {
        const Escape escape = text[at] == '\\' ? escape_at(text, at) : Escape{.size = 1};
        if (escape.is_half) on_half(at);
        at += escape.size;
    }
    return std::min(at + 1, text.size());
}

std::size_t take_digits(std::string_view& text) {
    const std::size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
}

bool take_any_of(std::string_view& text, std::string_view characters) {
    const bool is_there = !text.empty() && characters.contains(text.front());
    if (is_there) text.remove_prefix(1);
    return is_there;
}

/// By the grammar of RFC 8259, section 6.
bool is_number(std::string_view text) {
    take_any_of(text, "-");
    const bool begins_with_zero = text.starts_with('0');
    const std::size_t whole = take_digits(text);
    if (whole == 0 || (begins_with_zero && whole > 1)) return false;
    if (take_any_of(text, ".") && take_digits(text) == 0) return false;
    if (!take_any_of(text, "eE")) return text.empty();
    take_any_of(text, "+-");
    return take_digits(text) != 0 && text.empty();
}

template <class Number>
bool is_held_as(std::string_view text) {
    Number number{};
    return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc{};
}

/// The replacement for a number that is too large; nothing for any other token. It is never longer.
std::string_view stand_in_for(std::string_view token) {
    if (!is_number(token)) return {};
    if (token.find_first_of(".eE") != std::string_view::npos)
        return is_held_as<double>(token) ? std::string_view{} : some_real;
    const bool is_held = is_held_as<std::int64_t>(token) || is_held_as<std::uint64_t>(token);
    return is_held ? std::string_view{} : largest_integer;
}

}  // namespace

std::size_t mask_beyond_dom(std::string_view text, char* copy) {
    std::ranges::copy(text, copy);
    std::size_t count = 0;
    const auto replace = [&](std::size_t at, std::string_view by) {
        std::ranges::copy(by, copy + at);
        ++count;
    };
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '"') {
            at = walk_string(text, at, [&](std::size_t half) { replace(half, half_pair_escape); });
            continue;
        }
        const std::size_t end = std::min(text.find_first_of(ends_of_number, at), text.size());
        const std::string_view token = text.substr(at, end - at);
        if (const auto stand_in = stand_in_for(token); !stand_in.empty()) {
            std::memset(copy + at, ' ', token.size());
            replace(at, stand_in);
        }
        at = std::max(end, at + 1);
    }
    return count;
}

bool has_half_pair(std::string_view written) {
    bool found = false;
    walk_string(written, 0, [&](std::size_t) { found = true; });
    return found;
}

}  // namespace sluice::fuzz
