#include "common/redact/personal_text.hpp"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <span>
#include <vector>

#include "common/redact/symbols.hpp"

namespace sluice::redact {
namespace {

using Symbols = std::span<const Symbol>;

constexpr std::size_t fewest_of_iban = 15;
constexpr std::size_t most_of_iban = 34;
constexpr std::size_t kept_country = 2;
constexpr std::size_t kept_of_iban = 4;

bool may_be_local_part(const Symbol& symbol) {
    return symbol.is_word() || (symbol.kind == Symbol::Kind::separator &&
                                std::string_view{"._+-'!#$*/?^`|~"}.contains(symbol.character));
}

/// Where the part before the `@` at `at` begins; `at` itself: nothing stands before it.
std::size_t local_part_before(Symbols symbols, std::size_t at) {
    while (at > 0 && may_be_local_part(symbols[at - 1])) --at;
    return at;
}

bool is_email_sign(Symbols symbols, std::size_t at) {
    return symbols[at].character == '@' && at + 1 < symbols.size() && symbols[at + 1].is_word();
}

/// The letters and digits of the IBAN that may begin at `first`, as places: groups of four with one separator
/// between them, or all in one.
std::vector<std::size_t> places_of_iban(Symbols symbols, std::size_t first) {
    std::vector<std::size_t> places;
    for (std::size_t at = first; at < symbols.size() && places.size() <= most_of_iban; ++at) {
        if (symbols[at].is_word()) {
            places.push_back(at);
        } else if (symbols[at].kind != Symbol::Kind::separator || places.size() % 4 != 0 ||
                   !symbols[at - 1].is_word()) {
            break;
        }
    }
    return places;
}

unsigned value_of(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    return static_cast<unsigned>(std::toupper(static_cast<unsigned char>(c)) - 'A') + 10U;
}

/// The check of ISO 7064, MOD 97-10, over the country and check digits moved to the end.
bool passes_mod_97(Symbols symbols, std::span<const std::size_t> places) {
    unsigned rest = 0;
    const auto add = [&](std::size_t at) {
        const unsigned value = value_of(symbols[at].character);
        rest = (rest * (value > 9 ? 100U : 10U) + value) % 97U;
    };
    std::ranges::for_each(places.subspan(4), add);
    std::ranges::for_each(places.first(4), add);
    return rest == 1;
}

bool has_shape_of_iban(Symbols symbols, std::span<const std::size_t> places) {
    const auto is = [&](std::size_t i, Symbol::Kind kind) { return symbols[places[i]].kind == kind; };
    using enum Symbol::Kind;
    return places.size() >= fewest_of_iban && is(0, letter) && is(1, letter) && is(2, digit) && is(3, digit);
}

/// How many of `places` are an IBAN, the longest; 0: none.
std::size_t length_of_iban(Symbols symbols, std::span<const std::size_t> places) {
    if (!has_shape_of_iban(symbols, places)) return 0;
    for (std::size_t length = std::min(places.size(), most_of_iban); length >= fewest_of_iban; --length) {
        const bool ends_here = length == places.size() || places[length] != places[length - 1] + 1;
        if (ends_here && passes_mod_97(symbols, places.first(length))) return length;
    }
    return 0;
}

}  // namespace

std::string without_email_addresses(std::string_view text) {
    std::string masked{text};
    if (!text.contains('@') && !text.contains('%')) return masked;
    const auto symbols = symbols_in(text);
    std::size_t after_last = 0;  // an address ends where the next may begin: no symbol is looked at twice
    for (std::size_t at = 0; at < symbols.size(); ++at) {
        if (!is_email_sign(symbols, at)) continue;
        const auto local =
            after_last + local_part_before(Symbols{symbols}.subspan(after_last), at - after_last);
        for (std::size_t hidden = local + 1; hidden < at; ++hidden) hide(masked, symbols[hidden]);
        after_last = at;
    }
    return masked;
}

std::string without_ibans(std::string_view text) {
    std::string masked{text};
    const auto symbols = symbols_in(text);
    for (std::size_t first = 0; first < symbols.size(); ++first) {
        if (symbols[first].kind != Symbol::Kind::letter) continue;
        if (first > 0 && symbols[first - 1].is_word()) continue;
        const auto places = places_of_iban(symbols, first);
        const auto length = length_of_iban(symbols, places);
        for (std::size_t i = kept_country; i + kept_of_iban < length; ++i) hide(masked, symbols[places[i]]);
    }
    return masked;
}

}  // namespace sluice::redact
