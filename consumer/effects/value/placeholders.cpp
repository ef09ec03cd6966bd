#include "consumer/effects/value/placeholders.hpp"

#include <algorithm>

#include "consumer/store/driver/sql_text.hpp"

namespace sluice::effects {
namespace {

using store::SqlPiece;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool starts_name(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool continues_name(char c) {
    return starts_name(c) || is_digit(c);
}

std::size_t name_length(std::string_view rest) {
    if (rest.empty() || !starts_name(rest.front())) return 0;
    return static_cast<std::size_t>(std::ranges::find_if_not(rest, continues_name) - rest.begin());
}

/// One stretch of code, without quotes and comments.
void replace_in(std::string_view code, Placeholders& out) {
    for (std::size_t at = 0; at < code.size();) {
        const auto rest = code.substr(at);
        if (rest.starts_with("::") || rest.starts_with(":=")) {
            out.text += rest.substr(0, 2);
            at += 2;
            continue;
        }
        const auto length = rest.front() == ':' ? name_length(rest.substr(1)) : 0;
        if (length > 0) {
            out.text += '?';
            out.names.emplace_back(rest.substr(1, length));
            at += 1 + length;
        } else {
            out.text += rest.front();
            ++at;
        }
    }
}

/// A colon behind a letter begins none: 'park:refund'.
void note_quoted(std::string_view quoted, Placeholders& out) {
    if (quoted.front() == '`') return;
    for (std::size_t at = quoted.find(':'); at != std::string_view::npos; at = quoted.find(':', at + 1)) {
        const auto length = name_length(quoted.substr(at + 1));
        if (length > 0 && !continues_name(quoted[at - 1]) && quoted[at - 1] != ':')
            out.quoted.emplace_back(quoted.substr(at + 1, length));
    }
}

}  // namespace

bool is_parameter_name(std::string_view name) noexcept {
    return !name.empty() && name_length(name) == name.size();
}

std::expected<Placeholders, std::string> replace_placeholders(std::string_view statement) {
    const auto pieces = store::cut_sql(statement);
    if (!pieces) return std::unexpected(pieces.error());
    Placeholders out;
    for (const auto& piece : *pieces) {
        if (piece.kind == SqlPiece::Kind::executable_comment) {
            return std::unexpected("a comment that MySQL executes (/*! … */) is not allowed");
        }
        if (piece.kind == SqlPiece::Kind::quoted) note_quoted(piece.text, out);
        if (piece.kind != SqlPiece::Kind::code) {
            out.text += piece.text;
            continue;
        }
        if (piece.text.contains('?')) return std::unexpected("write parameters as :name, not as ?");
        replace_in(piece.text, out);
    }
    return out;
}

}  // namespace sluice::effects
