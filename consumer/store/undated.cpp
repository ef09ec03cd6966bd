#include "consumer/store/undated.hpp"

#include <array>
#include <optional>
#include <string>

#include "common/record/event_record.hpp"
#include "consumer/store/day_partitions.hpp"
#include "consumer/store/inbox_columns.hpp"

namespace sluice::store {
namespace {

/// The thousandth key after `from`; nullopt when fewer are left.
Result<std::optional<std::string>> end_of_chunk(Connection& connection, const std::string& from) {
    const std::array<Datum, 2> parameters{record::undated, Bytes{from}};
    const auto rows = connection.query(
        "SELECT dedup_key FROM inbox WHERE event_day = ? AND dedup_key > ?"
        " ORDER BY dedup_key LIMIT 1 OFFSET 999",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return text_column(rows->front().at(0));
}

Result<std::int64_t> delete_chunk(Connection& connection, const std::string& from, const std::string& to,
                                  WallTime cutoff, const char* table) {
    // The payload while its row is still there to say so, then the row.
    const std::string statement =
        "DELETE " + std::string{table} +
        " FROM inbox LEFT JOIN event_payload ON event_payload.event_day = inbox.event_day AND"
        " event_payload.dedup_key = inbox.dedup_key"
        " WHERE inbox.event_day = ? AND inbox.dedup_key > ? AND inbox.dedup_key <= ?"
        " AND inbox.received_at < ? AND " +
        std::string{finished_condition};
    const std::array<Datum, 4> parameters{record::undated, Bytes{from}, Bytes{to}, cutoff};
    return connection.execute(statement, parameters);
}

Result<std::int64_t> delete_chunk(Connection& connection, const std::string& from, const std::string& to,
                                  WallTime cutoff) {
    if (const auto begun = connection.begin(); !begun) return Failure{begun.error()};
    auto deleted = delete_chunk(connection, from, to, cutoff, "event_payload");
    if (deleted) deleted = delete_chunk(connection, from, to, cutoff, "inbox");
    if (!deleted) {
        static_cast<void>(connection.rollback());  // its own failure leaves a dead connection: said already
        return deleted;
    }
    if (const auto committed = connection.commit(); !committed) return Failure{committed.error()};
    return deleted;
}

}  // namespace

Result<std::int64_t> delete_undated(Connection& connection, WallTime cutoff) {
    const std::string last(32, '\xff');
    std::string from;  // less than any key
    std::int64_t total = 0;
    for (;;) {
        const auto to = end_of_chunk(connection, from);
        if (!to) return Failure{to.error()};
        const auto deleted = delete_chunk(connection, from, to->value_or(last), cutoff);
        if (!deleted) return Failure{deleted.error()};
        total += *deleted;
        if (!*to) return total;
        from = **to;
    }
}

}  // namespace sluice::store
