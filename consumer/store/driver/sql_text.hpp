#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

/// How SQL text falls into pieces, as MySQL and MariaDB read it under our sql_mode (no ANSI_QUOTES,
/// backslash escapes on). Pure; knows no grammar beyond quotes and comments.
namespace sluice::store {

struct SqlPiece {
    enum class Kind {
        code,
        quoted,              ///< '…', "…" or `…` with its quotes
        comment,             ///< -- …, # … or /* … */
        executable_comment,  ///< /*! … */ or /*M! … */: servers run its text
    };
    Kind kind = Kind::code;
    std::string_view text;
};

/// The pieces in order; together they are `sql`. An open quote or comment is the sentence that says so.
[[nodiscard]] std::expected<std::vector<SqlPiece>, std::string> cut_sql(std::string_view sql);

/// The statements of a script without the semicolons that end them; empty ones and lone comments are left
/// out.
[[nodiscard]] std::expected<std::vector<std::string_view>, std::string> statements_of(std::string_view sql);

}  // namespace sluice::store
