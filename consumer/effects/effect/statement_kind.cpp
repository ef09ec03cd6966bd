#include "consumer/effects/effect/statement_kind.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "consumer/store/driver/sql_text.hpp"

namespace sluice::effects {
namespace {

using store::SqlPiece;

constexpr std::array<std::string_view, 4> changes{"INSERT", "UPDATE", "DELETE", "REPLACE"};

bool is_word(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

std::string upper(std::string_view text) {
    std::string out{text};
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    return out;
}

/// The bare words outside parentheses, in upper case.
std::vector<std::string> outer_words(std::string_view statement) {
    const auto pieces = store::cut_sql(statement).value();  // cut without an error before
    std::vector<std::string> words;
    int depth = 0;
    for (const auto& piece : pieces) {
        if (piece.kind != SqlPiece::Kind::code) continue;
        for (auto rest = piece.text; !rest.empty();) {
            const auto length =
                static_cast<std::size_t>(std::ranges::find_if_not(rest, is_word) - rest.begin());
            if (length > 0 && depth == 0) words.push_back(upper(rest.substr(0, length)));
            if (length == 0 && rest.front() == '(') ++depth;
            if (length == 0 && rest.front() == ')') --depth;
            rest.remove_prefix(std::max<std::size_t>(length, 1));
        }
    }
    return words;
}

/// What stands outside parentheses, word by word, without comments.
std::vector<std::string> outer_text(std::string_view statement) {
    const auto pieces = store::cut_sql(statement).value();  // cut without an error before
    std::vector<std::string> words(1);
    int depth = 0;
    for (const auto& piece : pieces) {
        if (piece.kind == SqlPiece::Kind::quoted && depth == 0) words.back() += piece.text;
        if (piece.kind != SqlPiece::Kind::code) continue;
        for (const char c : piece.text) {
            if (c == '(') ++depth;
            const bool ends_word = depth > 0 || c == ' ' || c == '\t' || c == '\n' || c == '\r';
            if (c == ')') --depth;
            if (!ends_word) words.back() += c;
            if (ends_word && !words.back().empty()) words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

/// The lists behind VALUES, or 1 for SET; 0 where neither is there. What follows the lists has a word before
/// it.
std::int64_t rows_written(std::string_view statement) {
    constexpr std::array<std::string_view, 3> behind_the_rows{"AS", "ON", "RETURNING"};
    std::int64_t lists = 0;
    int depth = 0;
    bool in_values = false;
    const auto pieces = store::cut_sql(statement).value();  // cut without an error before
    for (const auto& piece : pieces) {
        if (piece.kind != SqlPiece::Kind::code) continue;
        for (auto rest = piece.text; !rest.empty();) {
            const auto length =
                static_cast<std::size_t>(std::ranges::find_if_not(rest, is_word) - rest.begin());
            const std::string word = depth == 0 ? upper(rest.substr(0, length)) : std::string{};
            if (!in_values && word == "SET") return 1;
            if (in_values && std::ranges::contains(behind_the_rows, word)) return lists;
            if (word == "VALUES" ||
                word == "VALUE") {  // also a table's name: the last one before the lists counts
                in_values = true;
                lists = 0;
            }
            if (length == 0 && rest.front() == '(' && depth++ == 0 && in_values) ++lists;
            if (length == 0 && rest.front() == ')') --depth;
            rest.remove_prefix(std::max<std::size_t>(length, 1));
        }
    }
    return lists;
}

constexpr std::array<std::string_view, 7> before_the_table{
    "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "QUICK", "IGNORE", "INTO", "FROM"};
constexpr std::array<std::string_view, 5> behind_the_tables{"SET", "WHERE", "ORDER", "LIMIT", "RETURNING"};

/// The first verb after the common table expressions says what such a statement does.
std::string verb_behind_with(const std::vector<std::string>& words) {
    const auto verb = std::ranges::find_if(words, [](const std::string& word) {
        return word == "SELECT" || std::ranges::contains(changes, word);
    });
    return verb == words.end() ? std::string{} : *verb;
}

bool is_change(const std::vector<std::string>& words) {
    if (words.empty()) return false;
    if (words.front() != "WITH") return std::ranges::contains(changes, words.front());
    const auto verb = verb_behind_with(words);
    return verb == "UPDATE" || verb == "DELETE";
}

bool is_select(const std::vector<std::string>& words) {
    if (words.empty() || std::ranges::contains(words, "INTO")) return false;
    return words.front() == "SELECT" || (words.front() == "WITH" && verb_behind_with(words) == "SELECT");
}

std::expected<std::string_view, std::string> single(std::string_view statement,
                                                    bool (*is_it)(const std::vector<std::string>&),
                                                    const std::string& otherwise) {
    const auto statements = store::statements_of(statement);
    if (!statements) return std::unexpected(statements.error());
    if (statements->empty()) return std::unexpected("there is no statement");
    if (statements->size() > 1) {
        return std::unexpected("each item must have one statement: write the next one as its own item");
    }
    const auto only = statements->front();
    const auto words = outer_words(only);
    if (is_it(words)) return only;
    return std::unexpected(otherwise + (words.empty() ? std::string{} : ", not " + words.front()));
}

}  // namespace

std::expected<std::string_view, std::string> single_change(std::string_view statement) {
    return single(statement, is_change, "an effect can only be INSERT, UPDATE, DELETE or REPLACE");
}

std::expected<std::string_view, std::string> single_select(std::string_view statement) {
    return single(statement, is_select, "decide can only be a SELECT without INTO");
}

RowCounts possible_counts(std::string_view statement) {
    const auto words = outer_words(statement);
    const auto has = [&words](std::string_view word) { return std::ranges::contains(words, word); };
    const bool is_replace = words.front() == "REPLACE";
    if (!is_replace && words.front() != "INSERT") return {};
    if (has("SELECT") || has("TABLE") || has("WITH")) return {};
    const std::int64_t rows = rows_written(statement);
    if (rows == 0) return {};
    if (is_replace) return {.least = rows};
    return {.least = has("IGNORE") ? 0 : rows, .most = has("DUPLICATE") ? 2 * rows : rows};
}

std::string changed_table(std::string_view statement) {
    const auto words = outer_text(statement);
    const auto is_one_of = [](const auto& known) {
        return [&known](const std::string& word) { return std::ranges::contains(known, upper(word)); };
    };
    auto word = std::ranges::find_if(words, is_one_of(changes));
    if (word == words.end()) return {};
    const std::string verb = upper(*word);
    word = std::find_if_not(std::next(word), words.end(), is_one_of(before_the_table));
    if (word == words.end()) return {};
    std::string tables = *word;
    if (verb == "INSERT" || verb == "REPLACE") return tables;
    const auto end = std::find_if(std::next(word), words.end(), is_one_of(behind_the_tables));
    for (++word; word != end; ++word) tables += " " + *word;
    return tables;
}

}  // namespace sluice::effects
