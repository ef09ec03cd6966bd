#include "consumer/effects/value/conversion.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/time_text.hpp"
#include "common/webhook/extract/time_fields.hpp"
#include "common/webhook/payment/scaled.hpp"

namespace sluice::effects {
namespace {

using store::Datum;
using webhook::JsonType;
using Converted = std::expected<Datum, Misfit>;

constexpr std::int64_t first_second = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t last_second = 253'402'300'799;   // 9999-12-31T23:59:59Z
constexpr std::size_t most_digits = 19;                 // of an int64

std::unexpected<Misfit> misfit(errc error, std::string_view why) {
    return std::unexpected(Misfit{make_error_code(error), why});
}

std::unexpected<Misfit> too_large() {
    return misfit(errc::out_of_range, "is outside the numbers of 64 bits");
}

/// The caller's, for as long as `made` lives.
char* room(std::size_t size, std::pmr::memory_resource& made) {
    return static_cast<char*>(made.allocate(std::max<std::size_t>(size, 1), 1));
}

std::expected<std::int64_t, Misfit> digits_in(std::string_view text) {
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (digits.empty() || !std::ranges::all_of(digits, is_digit))
        return misfit(errc::wrong_type, "is no whole number: digits, with nothing before them but a minus");
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (digits.size() > most_digits || error != std::errc{}) return too_large();
    return number;
}

std::expected<std::int64_t, Misfit> whole_number(const Found& found) {
    if (found.type == JsonType::integer && found.text.empty()) return found.number;
    if (found.type == JsonType::integer || found.type == JsonType::string) return digits_in(found.text);
    if (found.type == JsonType::real || found.type == JsonType::big_number)
        return misfit(errc::out_of_range, "is no whole number of 64 bits");
    return misfit(errc::wrong_type, "is no whole number");
}

Converted minor_units(const Found& found, int scale) {
    const bool is_number = found.type == JsonType::integer || found.type == JsonType::real ||
                           found.type == JsonType::big_number || found.type == JsonType::string;
    const bool is_negative = found.text.starts_with('-');
    const auto units = webhook::scaled(found.text.substr(is_negative ? 1 : 0), scale);
    if (units) return is_negative ? -*units : *units;
    if (!is_number || units.error() == webhook::NotScaled::no_number)
        return misfit(errc::wrong_type, "is no number of digits with at most one decimal point");
    if (units.error() == webhook::NotScaled::too_large) return too_large();
    return misfit(errc::out_of_range, "has more decimals than its currency or scale");
}

Converted decimal_text(std::int64_t units, int scale, std::pmr::memory_resource& made) {
    // The least int64 has no negative, but its digits are those of the unsigned one.
    const auto size = units < 0 ? 0 - static_cast<std::uint64_t>(units) : static_cast<std::uint64_t>(units);
    std::array<char, most_digits + 1> digits{};
    const char* const end = std::to_chars(digits.begin(), digits.end(), size).ptr;
    const std::string_view written{digits.begin(), end};
    const auto behind = static_cast<std::size_t>(scale);
    const std::size_t zeros = written.size() > behind ? 0 : behind + 1 - written.size();
    char* const text = room(1 + zeros + written.size() + 1, made);
    char* at = text;
    if (units < 0) *at++ = '-';
    at = std::fill_n(at, zeros, '0');
    at = std::ranges::copy(written, at).out;
    if (behind > 0) {
        std::memmove(at - behind + 1, at - behind, behind);
        *(at - behind) = '.';
        ++at;
    }
    return std::string_view{text, at};
}

Converted time_by_forms(const Found& found, const webhook::TimeField& forms) {
    constexpr std::string_view no_time = "is no time of its forms";
    const bool is_text = found.type == JsonType::string;
    if (!is_text && found.type != JsonType::integer) return misfit(errc::wrong_type, no_time);
    if (is_text && found.text.empty() && !forms.zone.empty()) return nullptr;
    const auto time = is_text ? webhook::time_in(found.text, forms) : webhook::time_in(found.number, forms);
    if (time) return *time;
    if (time.error() != errc::out_of_range) return misfit(errc::wrong_type, no_time);
    return misfit(errc::out_of_range, "is outside the years 1970 to 9999");
}

Converted time_in(const Found& found) {
    if (found.type == JsonType::string) {
        if (const auto time = from_rfc3339(found.text)) return *time;
        return misfit(errc::wrong_type, "is no time of RFC 3339 (forms names others)");
    }
    const auto seconds = whole_number(found);
    if (!seconds) return std::unexpected(seconds.error());
    if (*seconds < first_second || *seconds > last_second)
        return misfit(errc::out_of_range, "is outside the years 1 to 9999");
    return WallTime{std::chrono::seconds{*seconds}};
}

Converted bytes_of_hex(std::string_view text, std::pmr::memory_resource& made) {
    char* const out = room(text.size() / 2, made);
    if (!crypto::read_hex(reinterpret_cast<std::uint8_t*>(out), text, true))
        return misfit(errc::wrong_type, "is no even number of hex digits");
    return store::Bytes{{out, text.size() / 2}};
}

Converted bytes_of_base64(std::string_view text, std::pmr::memory_resource& made) {
    char* const out = room(text.size() / 4 * 3, made);
    const auto size = crypto::read_base64(reinterpret_cast<std::uint8_t*>(out), text);
    if (!size) return misfit(errc::wrong_type, "is no base64 with its padding");
    return store::Bytes{{out, *size}};
}

Converted text_of(const Found& found) {
    if (found.type == JsonType::string) return found.text;
    const bool is_number =
        found.type == JsonType::integer || found.type == JsonType::real || found.type == JsonType::big_number;
    return misfit(errc::wrong_type, is_number ? "is a number, and text is wanted" : "is no text");
}

Converted truth_of(const Found& found) {
    if (found.type != JsonType::boolean) return misfit(errc::wrong_type, "is neither true nor false");
    return std::int64_t{found.text == "true" ? 1 : 0};
}

Converted as_datum(const std::expected<std::int64_t, Misfit>& number) {
    if (!number) return std::unexpected(number.error());
    return *number;
}

Converted copied(std::string_view text, std::pmr::memory_resource& made) {
    char* const out = room(text.size(), made);
    std::memcpy(out, text.data(), text.size());
    return std::string_view{out, text.size()};
}

}  // namespace

ParameterType type_of(As as) noexcept {
    if (as == As::int64 || as == As::minor) return ParameterType::int64;
    if (as == As::boolean) return ParameterType::boolean;
    if (as == As::time) return ParameterType::time;
    return as == As::hex || as == As::base64 ? ParameterType::bytes : ParameterType::text;
}

std::string_view noun_of(ParameterType type) noexcept {
    constexpr std::array<std::string_view, 5> names{"a text", "a whole number", "a boolean", "a time",
                                                    "bytes"};
    return names[static_cast<std::size_t>(type)];
}

Found constant(As as, std::string_view text) noexcept {
    const bool is_boolean = as == As::boolean && (text == "true" || text == "false");
    return {.type = is_boolean ? JsonType::boolean : JsonType::string, .text = text};
}

bool needs_text(As as) noexcept {
    return as == As::minor || as == As::json || as == As::boolean;
}

Converted converted(const Conversion& conversion, const Found& found, int scale,
                    std::pmr::memory_resource& made) {
    switch (conversion.as) {
        case As::text:
            return text_of(found);
        case As::int64:
            return as_datum(whole_number(found));
        case As::boolean:
            return truth_of(found);
        case As::time:
            return conversion.forms ? time_by_forms(found, *conversion.forms) : time_in(found);
        case As::minor:
            return minor_units(found, scale);
        case As::decimal: {
            const auto units = whole_number(found);
            if (!units) return std::unexpected(units.error());
            return decimal_text(*units, scale, made);
        }
        case As::json:
            return copied(found.text, made);
        case As::hex:
        case As::base64:
            break;
    }
    const auto text = text_of(found);
    if (!text) return text;
    return conversion.as == As::hex ? bytes_of_hex(found.text, made) : bytes_of_base64(found.text, made);
}

}  // namespace sluice::effects
