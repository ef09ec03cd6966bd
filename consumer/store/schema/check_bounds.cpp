#include "consumer/store/schema/check_bounds.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "consumer/store/driver/sql_text.hpp"

namespace sluice::store {
namespace {

constexpr std::string_view check_word = "CHECK";

struct Comparison {
    std::string_view text;
    bool is_least;
    bool is_inside;
};

constexpr std::array<Comparison, 4> comparisons{
    {{">=", true, true}, {"<=", false, true}, {">", true, false}, {"<", false, false}}};

/// Spaces before it do not matter.
bool take(std::string_view& text, std::string_view what) {
    const auto begin = std::min(text.find_first_not_of(' '), text.size());
    if (!text.substr(begin).starts_with(what)) return false;
    text.remove_prefix(begin + what.size());
    return true;
}

/// In digits, without a sign.
std::optional<std::int64_t> take_number(std::string_view& text) {
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.begin()));
    return number;
}

/// `open`: parentheses that are open before the column. MySQL writes a negative number as -(5).
std::optional<CheckBound> bound_in(std::ptrdiff_t open, std::string_view column, std::string_view rest) {
    const auto* found =
        std::ranges::find_if(comparisons, [&](const auto& one) { return take(rest, one.text); });
    if (found == comparisons.end()) return std::nullopt;
    const bool is_negative = take(rest, "-");
    while (take(rest, "(")) ++open;
    (void)take(rest, "");
    const auto number = take_number(rest);
    if (!number) return std::nullopt;
    for (; open > 0; --open)
        if (!take(rest, ")")) return std::nullopt;
    // What follows here belongs to it: AND, NOT ENFORCED.
    if (!rest.starts_with(',') && !rest.starts_with('\n')) return std::nullopt;
    return CheckBound{std::string{column}, found->is_least, found->is_inside,
                      is_negative ? -*number : *number};
}

/// `pieces` begins with the code in which the CHECK is.
std::optional<CheckBound> bound_at(std::span<const SqlPiece> pieces) {
    const auto code = pieces.front().text;
    const auto begin = code.find(check_word);
    const auto opening = code.substr(begin + check_word.size());
    const bool is_plain = opening.find_first_not_of(" (") == std::string_view::npos;
    if (!is_plain || pieces.size() < 3 || pieces[2].kind != SqlPiece::Kind::code) return std::nullopt;
    auto column = pieces[1].text;
    if (!column.starts_with('`') || column.size() < 2) return std::nullopt;
    column = column.substr(1, column.size() - 2);
    return bound_in(std::ranges::count(opening, '('), column, pieces[2].text);
}

}  // namespace

std::optional<std::vector<CheckBound>> check_bounds_in(std::string_view definition) {
    const auto pieces = cut_sql(definition);
    if (!pieces) return std::nullopt;
    std::vector<CheckBound> bounds;
    for (std::size_t i = 0; i < pieces->size(); ++i) {
        const auto& piece = pieces->at(i);
        if (piece.kind != SqlPiece::Kind::code || !piece.text.contains(check_word)) continue;
        auto bound = bound_at(std::span{*pieces}.subspan(i));
        if (!bound) return std::nullopt;
        bounds.push_back(std::move(*bound));
    }
    return bounds;
}

}  // namespace sluice::store
