#include "consumer/store/poll/walk_list.hpp"

#include <array>

#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

ListedWalk listed(const Row& row) {
    ListedWalk walk{.source = text_column(row.at(0)),
                    .provider = text_column(row.at(1)),
                    .principal = text_column(row.at(2)),
                    .at_id = text_column(row.at(3)),
                    .complete_until = std::get<WallTime>(row.at(4)),
                    .moved_at = time_column(row.at(5)),
                    .is_leased = std::get<std::int64_t>(row.at(6)) != 0,
                    .gap = {},
                    .operator_name = text_column(row.at(9)),
                    .reason = text_column(row.at(10))};
    const auto from = time_column(row.at(7));
    const auto until = time_column(row.at(8));
    if (from && until) walk.gap = WalkGap{*from, *until};
    return walk;
}

/// The fence keeps out what a poller has on its way.
constexpr std::string_view by_hand =
    ", operator = ?, reason = ?, changed_at = UTC_TIMESTAMP(6), fence = fence + 1, holder = NULL,"
    " leased_until = UTC_TIMESTAMP(6)";

Datum name_datum(const WalkChange& by) {
    return Bytes{by.operator_name.substr(0, 128)};
}

Datum reason_datum(const WalkChange& by) {
    return Bytes{by.reason.substr(0, 1024)};
}

Result<bool> changed(const Result<std::int64_t>& matched) {
    return matched.transform([](std::int64_t rows) { return rows == 1; });
}

}  // namespace

Result<std::vector<ListedWalk>> listed_walks(Connection& connection) {
    const auto rows = connection.query(
        "SELECT source, provider, principal, at_id, complete_until, moved_at,"
        " leased_until > UTC_TIMESTAMP(6), gap_from, gap_until, operator, reason"
        " FROM poll_walk ORDER BY source",
        {});
    if (!rows) return Failure{rows.error()};
    std::vector<ListedWalk> all;
    for (const auto& row : *rows) all.push_back(listed(row));
    return all;
}

Result<bool> clear_gap(Connection& connection, std::string_view source, const WalkGap& gap,
                       const WalkChange& by) {
    const std::array<Datum, 5> parameters{name_datum(by), reason_datum(by), Bytes{source}, gap.from,
                                          gap.until};
    return changed(connection.execute("UPDATE poll_walk SET gap_from = NULL, gap_until = NULL" +
                                          std::string{by_hand} +
                                          " WHERE source = ? AND gap_from = ? AND gap_until = ?",
                                      parameters));
}

Result<bool> forget_place(Connection& connection, std::string_view source, std::string_view at_id,
                          const WalkChange& by) {
    const std::array<Datum, 4> parameters{name_datum(by), reason_datum(by), Bytes{source}, Bytes{at_id}};
    return changed(connection.execute("UPDATE poll_walk SET at_id = NULL, at_created = NULL" +
                                          std::string{by_hand} + " WHERE source = ? AND at_id = ?",
                                      parameters));
}

}  // namespace sluice::store
