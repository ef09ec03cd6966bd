#include "common/crypto/encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace sluice::crypto {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr auto base64_values = [] {
    std::array<std::int8_t, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < base64_digits.size(); ++i) {
        values[static_cast<unsigned char>(base64_digits[i])] = static_cast<std::int8_t>(i);
    }
    return values;
}();

constexpr std::uint32_t octet(char c) {
    return static_cast<unsigned char>(c);
}

/// The 24 bits of four base64 digits; below zero when one of them is not a digit.
std::int32_t bits_of(const char* digits) {
    const auto value = [&](std::size_t i) { return std::int32_t{base64_values[octet(digits[i])]}; };
    return value(0) << 18 | value(1) << 12 | value(2) << 6 | value(3);
}

void write_octets(std::uint8_t* out, std::int32_t bits, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::uint8_t>(bits >> (16 - 8 * i));
}

using HexValues = std::array<std::int8_t, 256>;

consteval HexValues hex_values(bool any_case) {
    HexValues values{};
    values.fill(-1);
    constexpr std::size_t to_upper_case = 'a' - 'A';
    for (std::size_t i = 0; i < hex_digits.size(); ++i) {
        const auto digit = static_cast<unsigned char>(hex_digits[i]);
        values[digit] = static_cast<std::int8_t>(i);
        if (any_case && i > 9) values[digit - to_upper_case] = static_cast<std::int8_t>(i);
    }
    return values;
}

constexpr HexValues values_in_lower_case = hex_values(false);
constexpr HexValues values_in_any_case = hex_values(true);

constexpr auto hex_pairs = [] {
    std::array<std::array<char, 2>, 256> pairs{};
    for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i] = {hex_digits[i >> 4], hex_digits[i & 15]};
    return pairs;
}();

using Octets = std::uint8_t __attribute__((vector_size(16)));

Octets digits_of(Octets halves) {
    constexpr std::uint8_t from_ten_on = 'a' - 10 - '0';
    const auto is_letter = static_cast<Octets>(halves > 9);
    return halves + '0' + (is_letter & from_ten_on);
}

/// The digits of sixteen bytes at once.
void write_hex_of_sixteen(char* out, const char* bytes) {
    Octets all;
    std::memcpy(&all, bytes, sizeof all);
    const Octets high = digits_of(all >> 4);
    const Octets low = digits_of(all & 15);
    const Octets first =
        __builtin_shufflevector(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const Octets second =
        __builtin_shufflevector(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    std::memcpy(out, &first, sizeof first);
    std::memcpy(out + sizeof first, &second, sizeof second);
}

}  // namespace

std::string to_hex(std::string_view bytes) {
    std::string text;
    append_hex(text, bytes);
    return text;
}

void append_hex(std::string& text, std::string_view bytes) {
    const std::size_t before = text.size();
    text.resize_and_overwrite(before + bytes.size() * 2, [&](char* all, std::size_t size) {
        write_hex(all + before, bytes);
        return size;
    });
}

void write_hex(char* out, std::string_view bytes) noexcept {
    for (; bytes.size() >= sizeof(Octets); bytes.remove_prefix(sizeof(Octets))) {
        write_hex_of_sixteen(out, bytes.data());
        out += 2 * sizeof(Octets);
    }
    for (const char c : bytes) {
        std::memcpy(out, hex_pairs[octet(c)].data(), 2);
        out += 2;
    }
}

std::string to_hex(const Digest& digest) {
    return to_hex(as_text(digest));
}

bool read_hex(std::uint8_t* out, std::string_view text, bool any_case) noexcept {
    if (text.size() % 2 != 0) return false;
    const HexValues& values = any_case ? values_in_any_case : values_in_lower_case;
    int all = 0;
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = values[octet(text[i])];
        const int low = values[octet(text[i + 1])];
        *out++ = static_cast<std::uint8_t>(high * 16 + low);
        all |= high | low;
    }
    return all >= 0;
}

std::optional<std::string> from_hex(std::string_view text, bool any_case) {
    std::string bytes(text.size() / 2, '\0');
    if (!read_hex(reinterpret_cast<std::uint8_t*>(bytes.data()), text, any_case)) return std::nullopt;
    return bytes;
}

std::optional<Digest> digest_from_hex(std::string_view text, bool any_case) {
    Digest digest;
    if (text.size() != digest.size() * 2 || !read_hex(digest.data(), text, any_case)) return std::nullopt;
    return digest;
}

std::string to_base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = octet(bytes[i]) << 16;
        if (count > 1) group |= octet(bytes[i + 1]) << 8;
        if (count > 2) group |= octet(bytes[i + 2]);
        text.push_back(base64_digits[group >> 18]);
        text.push_back(base64_digits[(group >> 12) & 63]);
        text.push_back(count > 1 ? base64_digits[(group >> 6) & 63] : '=');
        text.push_back(count > 2 ? base64_digits[group & 63] : '=');
    }
    return text;
}

std::optional<std::size_t> read_base64(std::uint8_t* out, std::string_view text) noexcept {
    if (text.size() % 4 != 0) return std::nullopt;
    if (text.empty()) return 0;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    const std::size_t last = text.size() - 4;
    std::int32_t all = 0;
    for (std::size_t i = 0; i < last; i += 4) {
        const std::int32_t group = bits_of(text.data() + i);
        write_octets(out + i / 4 * 3, group, 3);
        all |= group;
    }
    std::array<char, 4> end{'A', 'A', 'A', 'A'};  // A stands for no bits
    text.substr(last).copy(end.data(), end.size() - padding);
    const std::int32_t group = bits_of(end.data());
    const bool is_canonical = (group & ((1 << 8 * padding) - 1)) == 0;
    if ((all | group) < 0 || !is_canonical) return std::nullopt;
    write_octets(out + last / 4 * 3, group, 3 - padding);
    return text.size() / 4 * 3 - padding;
}

std::optional<std::string> from_base64(std::string_view text) {
    std::string bytes(text.size() / 4 * 3, '\0');
    const auto size = read_base64(reinterpret_cast<std::uint8_t*>(bytes.data()), text);
    if (!size) return std::nullopt;
    bytes.resize(*size);
    return bytes;
}

}  // namespace sluice::crypto
