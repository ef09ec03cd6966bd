#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

/// Checks every byte of a text, eight bytes at once: most texts are harmless, and checking byte by byte shows
/// in the profile.
namespace sluice {
namespace detail {

inline constexpr std::uint64_t in_each_byte = 0x0101010101010101;
inline constexpr std::uint64_t top_bits = 0x80 * in_each_byte;

/// Whether any byte is below `least`, which is at most 0x80. Such a byte may make the next higher one look
/// like one too; that does not change the answer.
constexpr bool has_below(std::uint64_t eight, unsigned char least) noexcept {
    return ((eight - least * in_each_byte) & ~eight & top_bits) != 0;
}
constexpr bool has(std::uint64_t eight, char c) noexcept {
    return has_below(eight ^ (static_cast<unsigned char>(c) * in_each_byte), 1);
}

template <class Eight, class One>
bool all_of(std::string_view text, Eight eight, One one) noexcept {
    for (std::uint64_t word = 0; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
        std::memcpy(&word, text.data(), sizeof word);
        if (!eight(word)) return false;
    }
    return std::ranges::all_of(text, one);
}

}  // namespace detail

constexpr bool is_printable(char c) noexcept {
    return c >= 0x20 && c < 0x7f;
}
/// Whether `text` is ASCII without control characters.
inline bool is_printable(std::string_view text) noexcept {
    const auto eight = [](std::uint64_t word) {
        return (word & detail::top_bits) == 0 && !detail::has_below(word, 0x20) && !detail::has(word, 0x7f);
    };
    return detail::all_of(text, eight, [](char c) { return is_printable(c); });
}

/// Whether a control character of ASCII is in a text of any bytes.
inline bool has_control_character(std::string_view text) noexcept {
    return !is_printable(text) && std::ranges::any_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
}

}  // namespace sluice
