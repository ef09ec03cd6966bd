#include "common/redact/card_numbers.hpp"

#include <algorithm>
#include <ranges>
#include <span>
#include <vector>

#include "common/redact/symbols.hpp"

namespace sluice::redact {
namespace {

constexpr std::size_t fewest_digits = 13;
constexpr std::size_t most_digits = 19;
constexpr std::size_t kept_first = 6;
constexpr std::size_t kept_last = 4;
constexpr std::size_t most_separators = 3;  // " - "

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Digits that touch each other, by their places among the symbols.
struct Group {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

std::vector<Group> groups_in(std::span<const Symbol> symbols) {
    std::vector<Group> groups;
    for (std::size_t at = 0; at < symbols.size(); ++at) {
        if (symbols[at].kind != Symbol::Kind::digit) continue;
        if (groups.empty() || groups.back().end != at) groups.push_back({at, at});
        groups.back().end = at + 1;
    }
    return groups;
}

bool are_neighbours(std::span<const Symbol> symbols, const Group& before, const Group& after) {
    const auto between = symbols.subspan(before.end, after.begin - before.end);
    return between.size() <= most_separators &&
           std::ranges::all_of(between, [](const Symbol& s) { return s.kind == Symbol::Kind::separator; });
}

/// How many groups from `first` on make up the longest card number that begins there; 0: none.
std::size_t card_at(std::span<const Symbol> symbols, std::span<const Group> groups, std::size_t first) {
    std::string digits;
    std::size_t found = 0;
    for (std::size_t i = first; i < groups.size(); ++i) {
        if (i > first && !are_neighbours(symbols, groups[i - 1], groups[i])) break;
        if (digits.size() + groups[i].size() > most_digits) break;
        for (std::size_t at = groups[i].begin; at < groups[i].end; ++at) digits += symbols[at].character;
        if (digits.size() >= fewest_digits && passes_luhn(digits)) found = i - first + 1;
    }
    return found;
}

void hide_middle(std::string& text, std::span<const Symbol> number) {
    const auto is_number = [](const Symbol& s) { return s.kind == Symbol::Kind::digit; };
    const auto digits = static_cast<std::size_t>(std::ranges::count_if(number, is_number));
    std::size_t place = 0;
    for (const Symbol& symbol : number | std::views::filter(is_number)) {
        if (place >= kept_first && place + kept_last < digits) hide(text, symbol);
        ++place;
    }
}

}  // namespace

bool passes_luhn(std::string_view digits) noexcept {
    int sum = 0;
    bool is_doubled = false;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        if (!is_digit(*digit)) return false;
        const int value = (*digit - '0') * (is_doubled ? 2 : 1);
        sum += value > 9 ? value - 9 : value;
        is_doubled = !is_doubled;
    }
    return !digits.empty() && sum % 10 == 0;
}

std::string without_card_numbers(std::string_view text) {
    std::string masked{text};
    const auto symbols = symbols_in(text);
    const auto groups = groups_in(symbols);
    // Each beginning for itself: of numbers that overlap, both are hidden.
    for (std::size_t first = 0; first < groups.size(); ++first) {
        const auto count = card_at(symbols, groups, first);
        if (count == 0) continue;
        const Group whole{groups[first].begin, groups[first + count - 1].end};
        hide_middle(masked, std::span{symbols}.subspan(whole.begin, whole.size()));
    }
    return masked;
}

}  // namespace sluice::redact
