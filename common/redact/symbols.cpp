#include "common/redact/symbols.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "common/crypto/encoding.hpp"

namespace sluice::redact {
namespace {

Symbol::Kind kind_of(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isdigit(byte) != 0) return Symbol::Kind::digit;
    if (byte < 0x80 && std::isalpha(byte) != 0) return Symbol::Kind::letter;
    return std::string_view{"&=<>{}[]:\"\r\n"}.contains(c) ? Symbol::Kind::structure
                                                           : Symbol::Kind::separator;
}

/// `%34` is the digit 4.
bool is_percent_encoded(std::string_view text) {
    std::uint8_t byte = 0;
    return text.size() >= 3 && text[0] == '%' && crypto::read_hex(&byte, text.substr(1, 2), true);
}

char encoded_character(std::string_view text) {
    std::uint8_t byte = 0;
    (void)crypto::read_hex(&byte, text.substr(1, 2), true);
    return static_cast<char>(byte);
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// A no-break space is one separator, not two.
std::size_t length_of(std::string_view text) {
    if (static_cast<unsigned char>(text.front()) < 0xC2) return 1;
    std::size_t length = 1;
    while (length < 4 && length < text.size() && is_continuation(text[length])) ++length;
    return length;
}

Symbol symbol_at(std::string_view text, std::size_t at) {
    const auto rest = text.substr(at);
    if (is_percent_encoded(rest)) {
        const char c = encoded_character(rest);
        return {at, at + 3, kind_of(c), c};
    }
    return {at, at + length_of(rest), kind_of(rest.front()), rest.front()};
}

}  // namespace

std::vector<Symbol> symbols_in(std::string_view text) {
    std::vector<Symbol> symbols;
    symbols.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); at = symbols.back().end)
        symbols.push_back(symbol_at(text, at));
    return symbols;
}

void hide(std::string& text, const Symbol& symbol) {
    const auto first = text.begin() + static_cast<std::ptrdiff_t>(symbol.begin);
    std::fill(first, first + static_cast<std::ptrdiff_t>(symbol.end - symbol.begin), '*');
}

}  // namespace sluice::redact
