#include "common/redact/secret_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "common/crypto/encoding.hpp"
#include "common/redact/personal_names.hpp"

namespace sluice::redact {
namespace {

constexpr std::array<std::string_view, 11> telling{"secret",    "token",         "password",  "passwd",
                                                   "signature", "authorization", "cvc",       "cvv",
                                                   "apikey",    "privatekey",    "cardnumber"};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

/// What a key may be made of, in JSON, forms, headers and XML.
bool is_of_a_key(char c) {
    return is_word(c) || std::string_view{"_-.[]%:"}.contains(c);
}

std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = text[at] == '%' ? crypto::from_hex(text.substr(at + 1, 2), true) : std::nullopt;
        if (byte && byte->size() == 1) {
            out += *byte;
            at += 2;
        } else {
            out += text[at];
        }
    }
    return out;
}

std::string_view leading(std::string_view text, auto is_part) {
    return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_part) - text.begin()));
}

constexpr std::string_view cdata = "<![CDATA[";

/// What stands between a key and its value, with the value's opening quote; empty: this is no key. `before`
/// is the character before the key.
std::string_view sign_after(std::string_view text, char before) {
    if (constexpr std::string_view of_a_reason = "): \""; text.starts_with(of_a_reason))
        return text.substr(0, of_a_reason.size());  // (/data/key): "value" is no …
    if (before == '/') return {};                   // </key>
    if (before == '<') {
        const auto tag = text.substr(0, text.find('>') + 1);
        return text.substr(tag.size()).starts_with(cdata) ? text.substr(0, tag.size() + cdata.size()) : tag;
    }
    const auto sign = leading(text, [](char c) { return std::string_view{" \t\"'\\=:[{"}.contains(c); });
    return sign.find_first_of("=:") != sign.npos ? sign : std::string_view{};
}

/// Up to its closing quote, or to the end of the line.
std::string_view quoted_value(std::string_view text, char quote) {
    std::size_t at = 0;
    while (at < text.size() && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2U : 1U;
    return text.substr(0, at);
}

std::string_view value_after(std::string_view text, std::string_view sign) {
    if (sign.ends_with(cdata)) return text.substr(0, text.find("]]>"));
    if (sign.ends_with('>')) return text.substr(0, text.find('<'));
    if (sign.ends_with('"') || sign.ends_with('\'')) return quoted_value(text, sign.back());
    return leading(text, [](char c) { return !std::string_view{"&;,<>}\r\n\"'"}.contains(c); });
}

}  // namespace

bool names_a_secret(std::string_view key) {
    std::string word;
    for (const char c : percent_decoded(key)) {
        if (is_word(c)) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return std::ranges::any_of(telling, [&](std::string_view part) { return word.contains(part); });
}

std::string without_named_secrets(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        auto key = leading(text, is_of_a_key);
        while (key.ends_with(':')) key.remove_suffix(1);
        const char before = out.empty() ? ' ' : out.back();
        const auto whole = std::max<std::size_t>(key.size(), 1);
        out += text.substr(0, whole);
        text.remove_prefix(whole);
        const bool is_hidden = names_a_secret(key) || names_personal_data(key);
        const auto sign = is_hidden ? sign_after(text, before) : std::string_view{};
        if (sign.empty()) continue;
        const auto value = value_after(text.substr(sign.size()), sign);
        out += sign;
        if (!value.empty()) out += "***";
        text.remove_prefix(sign.size() + value.size());
    }
    return out;
}

}  // namespace sluice::redact
