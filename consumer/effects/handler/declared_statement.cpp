#include "consumer/effects/handler/declared_statement.hpp"

#include <algorithm>

#include "consumer/effects/effect/statement_kind.hpp"
#include "consumer/store/driver/sql_text.hpp"

namespace sluice::effects {

std::expected<DeclaredStatement, std::string> declared_statement(std::string_view text) {
    using Kind = store::SqlPiece::Kind;
    const auto pieces = store::cut_sql(text);
    if (!pieces) return std::unexpected(pieces.error());
    DeclaredStatement statement;
    for (const auto& piece : *pieces) {
        if (piece.kind == Kind::executable_comment)
            return std::unexpected("a comment that servers run (/*! … */) is not allowed");
        if (piece.kind == Kind::code)
            statement.parameters += static_cast<std::size_t>(std::ranges::count(piece.text, '?'));
    }
    const auto select = single_select(text);
    const auto change = single_change(text);
    if (!select && !change) return std::unexpected(change.error() + "; or it is a SELECT without INTO");
    statement.is_select = select.has_value();
    statement.text = select ? *select : *change;
    return statement;
}

}  // namespace sluice::effects
