#include "ctl/mask/card_numbers.hpp"

#include <algorithm>
#include <vector>

namespace sluice::ctl {
namespace {

constexpr std::size_t fewest_digits = 13;
constexpr std::size_t most_digits = 19;
constexpr std::size_t kept_first = 6;
constexpr std::size_t kept_last = 4;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool may_separate(char c) {
    return c == ' ' || c == '-' || c == '.';
}

/// Digits that touch each other, by their places in the text.
struct Group {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

std::vector<Group> groups_in(std::string_view text) {
    std::vector<Group> groups;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_digit(text[at])) {
            ++at;
            continue;
        }
        const auto* const end =
            std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_digit);
        groups.push_back({at, static_cast<std::size_t>(end - text.begin())});
        at = groups.back().end;
    }
    return groups;
}

bool are_neighbours(std::string_view text, const Group& before, const Group& after) {
    return after.begin == before.end + 1 && may_separate(text[before.end]);
}

/// How many groups from `first` on make up the longest card number that begins there; 0: none.
std::size_t card_at(std::string_view text, const std::vector<Group>& groups, std::size_t first) {
    std::string digits;
    std::size_t found = 0;
    for (std::size_t i = first; i < groups.size(); ++i) {
        if (i > first && !are_neighbours(text, groups[i - 1], groups[i])) break;
        if (digits.size() + groups[i].size() > most_digits) break;
        digits += text.substr(groups[i].begin, groups[i].size());
        if (digits.size() >= fewest_digits && passes_luhn(digits)) found = i - first + 1;
    }
    return found;
}

void hide_middle(std::string& text, std::size_t begin, std::size_t end) {
    const auto digits = std::count_if(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                      text.begin() + static_cast<std::ptrdiff_t>(end), is_digit);
    std::size_t place = 0;
    for (std::size_t at = begin; at < end; ++at) {
        if (!is_digit(text[at])) continue;
        if (place >= kept_first && place + kept_last < static_cast<std::size_t>(digits)) text[at] = '*';
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
    const auto groups = groups_in(text);
    // Each beginning for itself: of numbers that overlap, both are hidden.
    for (std::size_t first = 0; first < groups.size(); ++first) {
        const auto count = card_at(text, groups, first);
        if (count > 0) hide_middle(masked, groups[first].begin, groups[first + count - 1].end);
    }
    return masked;
}

}  // namespace sluice::ctl
