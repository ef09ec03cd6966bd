#include "tests/fuzz/values/reference.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace sluice::fuzz {
namespace {

using webhook::JsonType;

constexpr std::int64_t last_second = 253'402'300'799;  // of the year 9999

bool are_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Digits as a number of at most 64 bits with its sign; the least has no positive twin.
std::optional<std::int64_t> number_of(std::string digits, bool is_negative) {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
    const std::string_view most = is_negative ? "9223372036854775808" : "9223372036854775807";
    if (digits.size() > most.size() || (digits.size() == most.size() && digits > most)) return std::nullopt;
    return digits.empty() ? 0 : std::stoll((is_negative ? "-" : "") + digits);
}

bool is_number(const Standing& value) {
    return value.type == JsonType::integer || value.type == JsonType::real ||
           value.type == JsonType::big_number || value.type == JsonType::string;
}

std::optional<int> nibble(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

int two(const std::string& digits, std::size_t at) {
    return std::stoi(digits.substr(at, 2));
}

}  // namespace

std::optional<std::int64_t> whole_number(const Standing& value) {
    constexpr std::size_t most_digits = 19;
    if (value.type != JsonType::integer && value.type != JsonType::string) return std::nullopt;
    const bool is_negative = value.text.starts_with('-');
    const std::string digits = value.text.substr(is_negative ? 1 : 0);
    if (!are_digits(digits) || digits.size() > most_digits) return std::nullopt;
    return number_of(digits, is_negative);
}

std::optional<std::int64_t> minor_units(const Standing& value, int scale) {
    if (!is_number(value)) return std::nullopt;
    const bool is_negative = value.text.starts_with('-');
    const std::string number = value.text.substr(is_negative ? 1 : 0);
    const std::size_t point = number.find('.');
    const std::string whole = number.substr(0, point);
    std::string fraction = point == number.npos ? "0" : number.substr(point + 1);
    if (!are_digits(whole) || !are_digits(fraction)) return std::nullopt;
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    const auto behind = static_cast<std::size_t>(scale);
    if (fraction.size() > behind) return std::nullopt;
    // Amounts have a sign and a size: the one number whose size is no number is none.
    const auto units = number_of(whole + fraction + std::string(behind - fraction.size(), '0'), false);
    return units && is_negative ? -*units : units;
}

std::optional<std::string> decimal(const Standing& value, int scale) {
    const auto units = whole_number(value);
    if (!units) return std::nullopt;
    std::string digits = std::to_string(*units);
    const std::string sign = digits.front() == '-' ? "-" : "";
    digits.erase(0, sign.size());
    const auto behind = static_cast<std::size_t>(scale);
    if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
    if (behind > 0) digits.insert(digits.size() - behind, ".");
    return sign + digits;
}

std::optional<std::string> bytes_of_hex(const Standing& value) {
    if (value.type != JsonType::string || value.text.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    for (std::size_t i = 0; i < value.text.size(); i += 2) {
        const auto high = nibble(value.text[i]);
        const auto low = nibble(value.text[i + 1]);
        if (!high || !low) return std::nullopt;
        bytes += static_cast<char>(*high * 16 + *low);
    }
    return bytes;
}

std::optional<std::string> bytes_of_base64(const Standing& value) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (value.type != JsonType::string || value.text.size() % 4 != 0) return std::nullopt;
    std::string text = value.text;
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.pop_back();
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t six = letters.find(c);
        if (six == letters.npos) return std::nullopt;
        bits = (bits << 6 | static_cast<unsigned>(six)) & 0xffff;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    // What is left of the last letter says nothing: another letter would stand for the same bytes.
    if ((bits & ((1U << count) - 1)) != 0) return std::nullopt;
    return bytes;
}

std::string without_space(std::string_view json) {
    std::string result;
    bool inside = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (json[i] == '"') inside = !inside;
        if (!inside && std::strchr(" \t\r\n", json[i]) != nullptr) continue;
        result += json[i];
        if (inside && json[i] == '\\') result += json[++i];
    }
    return result;
}

std::optional<WallTime> compact_time(const Standing& value) {
    using namespace std::chrono;
    constexpr std::size_t compact_size = 14;
    constexpr hours ahead{8};
    const std::string& text = value.text;
    if (value.type != JsonType::string || text.size() != compact_size || !are_digits(text))
        return std::nullopt;
    const year_month_day date{year{std::stoi(text.substr(0, 4))}, month{static_cast<unsigned>(two(text, 4))},
                              day{static_cast<unsigned>(two(text, 6))}};
    const int second = two(text, 12);
    const bool is_leap =
        second == 60 && two(text, 8) == 7 && two(text, 10) == 59;  // at the end of a day in UTC
    if (!date.ok() || two(text, 8) > 23 || two(text, 10) > 59 || (second > 59 && !is_leap))
        return std::nullopt;
    const WallTime time =
        sys_days{date} + hours{two(text, 8)} + minutes{two(text, 10)} + seconds{second} - ahead;
    const auto since_1970 = floor<seconds>(time.time_since_epoch()).count();
    return since_1970 >= 0 && since_1970 <= last_second ? std::optional{time} : std::nullopt;
}

std::optional<WallTime> unix_time(const Standing& value, std::int64_t per_second) {
    constexpr std::size_t longest = 15;
    const bool is_text = value.type == JsonType::string;
    if (is_text && (!are_digits(value.text) || value.text.size() > longest)) return std::nullopt;
    const auto number = whole_number(value);
    if (!number || *number < 0 || *number / per_second > last_second) return std::nullopt;
    return WallTime{std::chrono::microseconds{*number * (1'000'000 / per_second)}};
}

}  // namespace sluice::fuzz
