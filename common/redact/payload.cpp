#include "common/redact/payload.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <format>

#include "common/record/header_names.hpp"
#include "common/redact/card_numbers.hpp"
#include "common/redact/personal_names.hpp"
#include "common/redact/personal_text.hpp"
#include "common/redact/secret_names.hpp"

namespace sluice::redact {
namespace {

constexpr int deepest = 100;
constexpr std::string_view too_deep = "(nested deeper than 100 times: not shown)";
constexpr std::string_view hidden = "***";
constexpr std::size_t shortest_account = 8;

bool is_of_an_account(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0 || std::string_view{" -*"}.contains(c);
}

/// How deep brackets stand in each other, quotes left out of account.
int depth_of(std::string_view text) {
    int depth = 0;
    int greatest = 0;
    bool is_quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '\\' && is_quoted)
            ++at;
        else if (c == '"')
            is_quoted = !is_quoted;
        else if (!is_quoted && (c == '{' || c == '['))
            greatest = std::max(greatest, ++depth);
        else if (!is_quoted && (c == '}' || c == ']'))
            --depth;
    }
    return greatest;
}

/// The digits of a number as JSON has it: 4.11e15 is as long as the integer.
std::string digits_of(const Json& number) {
    const double value = number.get<double>();
    const bool is_whole = number.is_number_float() && std::abs(value) < 1e19 && std::trunc(value) == value;
    return is_whole ? std::format("{:.0f}", value) : number.dump();
}

Json masked_number(const Json& number) {
    const std::string digits = digits_of(number);
    const std::string masked = without_card_numbers(digits);
    return masked == digits ? number : Json(masked);
}

/// Of personal data the last four characters tell support which account it is; of what is short, nothing.
Json without_personal_text(const Json& value) {
    if (value.is_null() || value.is_boolean()) return value;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.contains('@')) return masked_text(text);
    const bool is_account = text.size() >= shortest_account && std::ranges::all_of(text, is_of_an_account);
    return is_account ? std::string{hidden}.append(text.substr(text.size() - 4)) : std::string{hidden};
}

/// Hides everything below a key that names personal data.
Json without_personal_data(const Json& value) {
    if (!value.is_structured()) return without_personal_text(value);
    Json out = value.is_object() ? Json::object() : Json::array();
    for (const auto& [name, inner] : value.items()) {
        if (value.is_array())
            out.push_back(without_personal_data(inner));
        else
            out[masked_text(name)] = without_personal_data(inner);
    }
    return out;
}

Json masked_value(std::string_view name, const Json& value) {
    if (value.is_null()) return value;
    if (names_a_secret(name)) return hidden;
    return names_personal_data(name) ? without_personal_data(value) : masked_json(value);
}

Json masked_object(const Json& object) {
    Json out = Json::object();
    for (const auto& [name, value] : object.items()) out[masked_text(name)] = masked_value(name, value);
    return out;
}

Json masked_array(const Json& array) {
    Json out = Json::array();
    for (const auto& value : array) out.push_back(masked_json(value));
    return out;
}

/// Of a character in UTF-8 that begins here and that a terminal shows; 0: none.
std::size_t shown_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
    const std::size_t length = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
    const auto rest = text.substr(1, length - 1);
    const bool is_whole =
        std::ranges::all_of(rest, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
    const bool is_control = lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;  // C1
    return is_whole && !is_control ? length : 0;
}

std::string masked(std::string_view body, int indent) {
    if (depth_of(body) > deepest) return std::string{too_deep};
    const Json value = Json::parse(body, nullptr, /*allow_exceptions=*/false);
    if (value.is_discarded()) return masked_text(body);
    return masked_json(value).dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// A packed header that is shown could not be separated: which of its bytes are a secret, nobody knows.
std::string masked_header(std::string_view name, std::string_view value) {
    if (name == record::header::packed) return std::format("({} bytes, which cannot be read)", value.size());
    if (names_a_secret(name)) return std::string{hidden};
    return without_control_bytes(masked_text(value));
}

}  // namespace

Json masked_json(const Json& value) {
    if (value.is_object()) return masked_object(value);
    if (value.is_array()) return masked_array(value);
    if (value.is_number()) return masked_number(value);
    if (value.is_string()) return masked_text(value.get<std::string>());
    return value;
}

std::string masked_text(std::string_view text) {
    return without_email_addresses(without_ibans(without_card_numbers(without_named_secrets(text))));
}

std::string masked_body(std::string_view body) {
    return without_control_bytes(masked(body, 2));
}

std::string masked_to_keep(std::string_view body) {
    return masked(body, -1);
}

std::vector<std::pair<std::string, std::string>> masked_headers(
    const std::vector<std::pair<std::string, std::string>>& headers) {
    std::vector<std::pair<std::string, std::string>> masked;
    for (const auto& [name, value] : headers)
        masked.emplace_back(without_control_bytes(name), masked_header(name, value));
    return masked;
}

std::string without_control_bytes(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const char c = text.front();
        const std::size_t length = c == '\n' || c == '\t' ? 1 : shown_length(text);
        if (length == 0)
            out += std::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            out += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

}  // namespace sluice::redact
