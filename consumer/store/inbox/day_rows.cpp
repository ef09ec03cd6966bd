#include "consumer/store/inbox/day_rows.hpp"

#include <array>

#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {

Result<std::vector<DayRow>> rows_of_day(Connection& connection, std::chrono::sys_days day,
                                        const std::optional<crypto::Digest>& after) {
    const std::array<Datum, 2> parameters{day, after ? digest_datum(*after) : Datum{Bytes{""}}};
    const auto rows = connection.query(
        "SELECT dedup_key, event_id, type, status FROM inbox WHERE event_day = ? AND dedup_key > ?"
        " ORDER BY dedup_key LIMIT 1000",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<DayRow> found;
    for (const Row& row : *rows)
        found.push_back({.dedup_key = digest_column(row.at(0)),
                         .event_id = text_column(row.at(1)),
                         .type = text_column(row.at(2)),
                         .status = status_column(row.at(3))});
    return found;
}

}  // namespace sluice::store
