#include <array>

#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

// The part of consumer/store/inbox/inbox.hpp that changes rows of unfinished events.
namespace sluice::store {
namespace {

std::string change_statement(std::string_view dlq_sent) {
    return "UPDATE inbox SET status = ?, finished_at = ?, dlq_sent = " + std::string{dlq_sent} +
           ", error_class = ?, error_text = ?, had_effects = COALESCE(?, had_effects) WHERE event_day = ? "
           "AND dedup_key = ?"
           " AND status IN ('retry', 'deferred', 'parked', 'dead', 'rerun')";
}

const std::string& statement_for(bool owes_dlq_record) {
    static const std::string owed = change_statement("0");
    static const std::string settled = change_statement("IF(dlq_sent IS NULL, NULL, 1)");
    return owes_dlq_record ? owed : settled;
}

}  // namespace

bool is_unfinished(InboxStatus status) noexcept {
    switch (status) {
        case InboxStatus::retry:
        case InboxStatus::deferred:
        case InboxStatus::parked:
        case InboxStatus::dead:
        case InboxStatus::rerun:
            return true;
        default:
            return false;
    }
}

Result<void> change_unfinished(Connection& connection, const InboxKey& key, const InboxChange& change) {
    const std::array<Datum, 7> parameters{name_of(change.status),
                                          time_datum(change.finished_at),
                                          bytes_or_null(change.error_class, 64),
                                          bytes_or_null(change.error_text, 1024),
                                          bytes_or_null(change.had_effects, change.had_effects.size()),
                                          key.event_day,
                                          digest_datum(key.dedup_key)};
    return exactly_one(connection.execute(statement_for(change.owes_dlq_record), parameters));
}

Result<void> reopen(Connection& connection, const InboxKey& key) {
    const std::array<Datum, 2> parameters{key.event_day, digest_datum(key.dedup_key)};
    return exactly_one(
        connection.execute("UPDATE inbox SET status = 'rerun' WHERE event_day = ? AND dedup_key = ?"
                           " AND status IN ('done', 'ignored')",
                           parameters));
}

Result<void> write_numbers(Connection& connection, const InboxKey& key, std::string_view reference,
                           std::string_view transaction) {
    const std::array<Datum, 4> parameters{whole_or_null(reference), whole_or_null(transaction), key.event_day,
                                          digest_datum(key.dedup_key)};
    return exactly_one(connection.execute(
        "UPDATE inbox SET reference = COALESCE(?, reference), transaction = COALESCE(?, transaction)"
        " WHERE event_day = ? AND dedup_key = ? AND status IN ('retry', 'deferred', 'parked', 'dead', "
        "'rerun')",
        parameters));
}

}  // namespace sluice::store
