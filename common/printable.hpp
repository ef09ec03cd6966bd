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

/// The top bit of some byte is set where a byte is below `least`, which is at most 0x80. Such a byte may make
/// the next higher one look like one too; that does not change the answer.
constexpr std::uint64_t below(std::uint64_t eight, unsigned char least) noexcept {
    return (eight - least * in_each_byte) & ~eight;
}
constexpr std::uint64_t equal(std::uint64_t eight, char c) noexcept {
    return below(eight ^ (static_cast<unsigned char>(c) * in_each_byte), 1);
}
/// Where a byte is not printable.
constexpr std::uint64_t odd(std::uint64_t eight) noexcept {
    return eight | below(eight, 0x20) | equal(eight, 0x7f);
}

inline std::uint64_t eight_at(const char* bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// The last eight may overlap those before: they are only looked at.
template <class Eight, class One>
bool all_of(std::string_view text, Eight eight, One one) noexcept {
    constexpr std::size_t step = sizeof(std::uint64_t);
    if (text.size() < step) return std::ranges::all_of(text, one);
    const char* const last = text.data() + text.size() - step;
    for (const char* at = text.data(); at < last; at += step)
        if (!eight(eight_at(at))) return false;
    return eight(eight_at(last));
}

}  // namespace detail

constexpr bool is_printable(char c) noexcept {
    return c >= 0x20 && c < 0x7f;
}
/// Whether `text` is ASCII without control characters.
inline bool is_printable(std::string_view text) noexcept {
    return detail::all_of(
        text, [](std::uint64_t eight) { return (detail::odd(eight) & detail::top_bits) == 0; },
        [](char c) { return is_printable(c); });
}
/// Whether `text` is printable and stands inside a JSON string as it is (RFC 8259 section 7).
inline bool is_plain_json(std::string_view text) noexcept {
    return detail::all_of(
        text,
        [](std::uint64_t eight) {
            const auto in_json = detail::equal(eight, '"') | detail::equal(eight, '\\');
            return ((detail::odd(eight) | in_json) & detail::top_bits) == 0;
        },
        [](char c) { return is_printable(c) && c != '"' && c != '\\'; });
}

/// Whether a control character of ASCII is in a text of any bytes.
inline bool has_control_character(std::string_view text) noexcept {
    return !is_printable(text) && std::ranges::any_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
}

}  // namespace sluice
