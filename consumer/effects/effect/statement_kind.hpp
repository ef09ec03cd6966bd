#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::effects {

/// The statement without the semicolon that may end it, when it is one INSERT, UPDATE, DELETE or REPLACE (a
/// WITH may stand before UPDATE and DELETE): the only kinds that never commit by themselves and say how many
/// rows they matched. Otherwise the sentence that says what is wrong. Pure.
[[nodiscard]] std::expected<std::string_view, std::string> single_change(std::string_view statement);

/// The same when it is one SELECT that writes nothing and keeps nothing (no INTO); a WITH may stand before
/// it.
[[nodiscard]] std::expected<std::string_view, std::string> single_select(std::string_view statement);

/// How many rows a change can say that it matched, as far as its text tells: an INSERT of one row says 1, and
/// one that updates what is there 1 or 2; an UPDATE may say anything.
struct RowCounts {
    std::int64_t least = 0;
    std::optional<std::int64_t> most{};  ///< nothing: any
};
/// Of what single_change returned. Pure.
[[nodiscard]] RowCounts possible_counts(std::string_view statement);

/// The table that a change is of, as the statement names it; of a join what stands there up to SET
/// or WHERE. For people. Pure.
[[nodiscard]] std::string changed_table(std::string_view statement);

}  // namespace sluice::effects
