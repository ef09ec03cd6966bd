#include "consumer/store/poll/reconciliation.hpp"

#include <array>

#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t longest_operator = 128;
constexpr std::size_t longest_reason = 1024;

std::string_view word_of(ReconciliationKind kind) {
    if (kind == ReconciliationKind::file) return "file";
    return kind == ReconciliationKind::continuous ? "continuous" : "once";
}

Datum count_or_null(const std::optional<std::int64_t>& count) {
    return count ? Datum{*count} : Datum{nullptr};
}

Result<void> write(Connection& connection, std::string_view statement, std::string_view id,
                   const ReconciliationCounts& counts) {
    const std::array<Datum, 6> parameters{
        counts.listed, counts.missing, counts.injected, counts.not_applied, count_or_null(counts.not_there),
        Bytes{id}};
    return exactly_one(connection.execute(statement, parameters));
}

Result<void> note_one(Connection& connection, std::string_view id, const MissingRow& row) {
    const std::array<Datum, 6> parameters{
        Bytes{id},           row.key.event_day,       digest_datum(row.key.dedup_key),
        Bytes{row.event_id}, whole_or_null(row.type), time_datum(row.created)};
    const auto inserted = connection.insert(
        "INSERT INTO reconciliation_missing (reconciliation, event_day, dedup_key, event_id, type, created)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        parameters);
    if (!inserted) return Failure{inserted.error()};
    return {};
}

Result<void> forget(Connection& connection, const std::string& id) {
    auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const std::array<Datum, 1> parameters{Bytes{id}};
    for (const std::string_view statement : {"DELETE FROM reconciliation_missing WHERE reconciliation = ?",
                                             "DELETE FROM reconciliation WHERE id = ?"}) {
        if (const auto deleted = connection.execute(statement, parameters); !deleted)
            return Failure{deleted.error()};
    }
    return open->commit();
}

}  // namespace

Result<void> begin_reconciliation(Connection& connection, const ReconciliationStart& start) {
    const std::array<Datum, 10> parameters{Bytes{start.id},
                                           Bytes{start.source},
                                           Bytes{start.provider},
                                           Bytes{start.principal},
                                           word_of(start.kind),
                                           std::int64_t{start.applies},
                                           time_datum(start.from),
                                           time_datum(start.until),
                                           bytes_or_null(start.operator_name, longest_operator),
                                           bytes_or_null(start.reason, longest_reason)};
    return exactly_one(connection.execute(
        "INSERT INTO reconciliation (id, source, provider, principal, kind, applies, window_from,"
        " window_until, operator, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        parameters));
}

Result<void> note_missing(Connection& connection, std::string_view id, std::span<const MissingRow> rows) {
    if (rows.empty()) return {};
    auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    for (const MissingRow& row : rows)
        if (auto noted = note_one(connection, id, row); !noted) return noted;
    return open->commit();
}

Result<void> note_injected(Connection& connection, std::string_view id, const InboxKey& key) {
    const std::array<Datum, 3> parameters{Bytes{id}, key.event_day, digest_datum(key.dedup_key)};
    return exactly_one(
        connection.execute("UPDATE reconciliation_missing SET injected = 1"
                           " WHERE reconciliation = ? AND event_day = ? AND dedup_key = ?",
                           parameters));
}

Result<void> write_counts(Connection& connection, std::string_view id, const ReconciliationCounts& counts) {
    return write(connection,
                 "UPDATE reconciliation SET listed = ?, missing = ?, injected = ?, not_applied = ?,"
                 " not_there = ? WHERE id = ?",
                 id, counts);
}

Result<void> end_reconciliation(Connection& connection, std::string_view id,
                                const ReconciliationCounts& counts) {
    return write(connection,
                 "UPDATE reconciliation SET listed = ?, missing = ?, injected = ?, not_applied = ?,"
                 " not_there = ?, ended_at = UTC_TIMESTAMP(6) WHERE id = ?",
                 id, counts);
}

Result<std::optional<LastReconciliation>> last_regular(Connection& connection, std::string_view source) {
    const std::array<Datum, 1> parameters{Bytes{source}};
    const auto rows = connection.query(
        "SELECT listed, missing, injected, not_applied, not_there,"
        " TIMESTAMPDIFF(MICROSECOND, ended_at, UTC_TIMESTAMP(6)) FROM reconciliation"
        " WHERE source = ? AND kind = 'continuous' AND ended_at IS NOT NULL ORDER BY began_at DESC LIMIT 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    const auto number = [&](std::size_t column) { return std::get<std::int64_t>(rows->front().at(column)); };
    LastReconciliation last{.counts = {.listed = number(0),
                                       .missing = number(1),
                                       .injected = number(2),
                                       .not_applied = number(3),
                                       .not_there = std::nullopt},
                            .ago = std::chrono::microseconds{number(5)}};
    if (const auto* compared = std::get_if<std::int64_t>(&rows->front().at(4)))
        last.counts.not_there = *compared;
    return last;
}

Result<void> forget_reconciliations(Connection& connection) {
    const std::array<Datum, 1> parameters{std::int64_t{reconciliations_kept.count()}};
    const auto old = connection.query(
        "SELECT id FROM reconciliation WHERE began_at < UTC_TIMESTAMP(6) - INTERVAL ? DAY"
        " ORDER BY began_at LIMIT 20",
        parameters);
    if (!old) return Failure{old.error()};
    for (const Row& row : *old)
        if (auto done = forget(connection, text_column(row.at(0))); !done) return done;
    return {};
}

}  // namespace sluice::store
