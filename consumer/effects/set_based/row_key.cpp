#include "consumer/effects/set_based/row_key.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "common/error.hpp"

namespace sluice::effects {
namespace {

using store::Datum;

void append_part(std::string_view text, std::string& out) {
    out += std::to_string(text.size());
    out += ':';
    out += text;
}

void append_number(std::int64_t number, std::string& out) {
    char digits[24];
    const auto end = std::to_chars(digits, std::end(digits), number).ptr;
    append_part({digits, end}, out);
}

/// Digits with or without a sign and leading zeros, without those.
std::optional<std::string> whole_number(std::string_view text) {
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.empty() || !std::ranges::all_of(text, is_digit)) return std::nullopt;
    text.remove_prefix(std::min(text.find_first_not_of('0'), text.size() - 1));
    return (is_negative && text != "0" ? "-" : "") + std::string{text};
}

/// A number as a session gives it; nullopt for text. What is beyond int64 comes as its digits: text of so
/// many digits has no second spelling either.
std::optional<std::string> number_in(const store::OwnedDatum& found) {
    constexpr std::size_t beyond_int64 = 19;
    if (const auto* number = std::get_if<std::int64_t>(&found)) return std::to_string(*number);
    const auto* text = std::get_if<std::string>(&found);
    const bool is_long = text != nullptr && text->size() >= beyond_int64;
    return is_long && whole_number(*text) == *text ? std::optional{*text} : std::nullopt;
}

bool is_meant(const Datum& wanted, const store::OwnedDatum& found) {
    const auto* text = std::get_if<std::string_view>(&wanted);
    const auto number = number_in(found);
    if (text == nullptr || !number) return true;
    return whole_number(*text) == *number;
}

}  // namespace

void spell(std::span<const Datum> key, std::string& out) {
    for (const auto& part : key) {
        if (const auto* number = std::get_if<std::int64_t>(&part)) append_number(*number, out);
        if (const auto* text = std::get_if<std::string_view>(&part)) append_part(*text, out);
    }
}

void spell(const store::Row& row, std::size_t columns, std::string& out) {
    for (std::size_t i = 0; i < columns; ++i) {
        if (const auto* number = std::get_if<std::int64_t>(&row[i])) append_number(*number, out);
        if (const auto* text = std::get_if<std::string>(&row[i])) append_part(*text, out);
    }
}

bool has_null(std::span<const Datum> key) {
    return std::ranges::any_of(key, [](const Datum& part) { return part == Datum{nullptr}; });
}

Datum sent_back(const store::OwnedDatum& value) noexcept {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    if (const auto* text = std::get_if<std::string>(&value)) return std::string_view{*text};
    return nullptr;
}

Result<std::optional<std::size_t>> meant_row(std::span<const Datum> key,
                                             const std::vector<store::Row>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        bool is_it = true;
        for (std::size_t column = 0; column < key.size(); ++column) {
            is_it = is_it && is_meant(key[column], rows[i][column]);
        }
        if (is_it) return i;
    }
    if (rows.empty()) return std::nullopt;
    return Failure{make_error_code(errc::wrong_type)};
}

}  // namespace sluice::effects
