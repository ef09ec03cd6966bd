#include "consumer/store/driver/sql_text.hpp"

#include <optional>

namespace sluice::store {
namespace {

using Kind = SqlPiece::Kind;

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/// MySQL takes "--" as a comment only before a space, a control character or the end.
bool starts_dash_comment(std::string_view rest) {
    return rest.starts_with("--") && (rest.size() == 2 || static_cast<unsigned char>(rest[2]) <= ' ');
}

std::optional<Kind> kind_at(std::string_view rest) {
    if (rest.starts_with('\'') || rest.starts_with('"') || rest.starts_with('`')) return Kind::quoted;
    if (rest.starts_with("/*!") || rest.starts_with("/*M!")) return Kind::executable_comment;
    if (rest.starts_with("/*") || rest.starts_with('#') || starts_dash_comment(rest)) return Kind::comment;
    return std::nullopt;
}

/// Length of the quoted text at the start of `rest`, or 0 when it does not end. A doubled quote is one of its
/// characters, and so is what follows a backslash, but in backticks.
std::size_t quoted_length(std::string_view rest) {
    const char quote = rest.front();
    for (std::size_t i = 1; i < rest.size(); ++i) {
        if (rest[i] == '\\' && quote != '`') {
            ++i;
        } else if (rest[i] == quote) {
            if (i + 1 == rest.size() || rest[i + 1] != quote) return i + 1;
            ++i;
        }
    }
    return 0;
}

std::size_t comment_length(std::string_view rest) {
    if (rest.starts_with("/*")) {
        const auto end = rest.find("*/", 2);
        return end == std::string_view::npos ? 0 : end + 2;
    }
    const auto end = rest.find('\n');
    return end == std::string_view::npos ? rest.size() : end + 1;
}

std::size_t code_length(std::string_view rest) {
    std::size_t length = 0;
    while (length < rest.size() && !kind_at(rest.substr(length))) ++length;
    return length;
}

}  // namespace

std::expected<std::vector<SqlPiece>, std::string> cut_sql(std::string_view sql) {
    std::vector<SqlPiece> pieces;
    for (std::size_t at = 0; at < sql.size();) {
        const auto rest = sql.substr(at);
        const auto kind = kind_at(rest);
        const auto length = !kind                   ? code_length(rest)
                            : *kind == Kind::quoted ? quoted_length(rest)
                                                    : comment_length(rest);
        if (length == 0) {
            return std::unexpected(*kind == Kind::quoted
                                       ? std::string{"a quote "} + rest.front() + " is not closed"
                                       : std::string{"a comment /* is not closed"});
        }
        pieces.push_back({kind.value_or(Kind::code), rest.substr(0, length)});
        at += length;
    }
    return pieces;
}

std::expected<std::vector<std::string_view>, std::string> statements_of(std::string_view sql) {
    const auto pieces = cut_sql(sql);
    if (!pieces) return std::unexpected(pieces.error());
    std::vector<std::string_view> statements;
    const char* start = sql.data();
    bool has_code = false;
    const auto end_at = [&](const char* end) {
        if (has_code) statements.emplace_back(start, static_cast<std::size_t>(end - start));
        start = end + 1;
        has_code = false;
    };
    for (const auto& piece : *pieces) {
        if (piece.kind == Kind::comment) continue;
        for (const char& c : piece.text) {
            if (piece.kind == Kind::code && c == ';') {
                end_at(&c);
            } else {
                has_code = has_code || !is_space(c);
            }
        }
    }
    if (has_code) end_at(sql.data() + sql.size());
    return statements;
}

}  // namespace sluice::store
