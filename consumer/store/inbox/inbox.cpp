#include "consumer/store/inbox/inbox.hpp"

#include <algorithm>
#include <array>
#include <format>
#include <iterator>

#include "common/time_text.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/inbox/undated.hpp"

namespace sluice::store {
namespace {

constexpr std::array<std::size_t, 3> day_sizes{1, 2, 4};
constexpr std::array<std::size_t, 6> key_sizes{1, 8, 32, 128, full_batch, 512};

constexpr std::size_t most_inserted = 1000;           // rows of one INSERT
constexpr std::size_t most_insert_bytes = 2UL << 20;  // MariaDB takes 16 MB

/// Days and keys apart, not as pairs: MariaDB makes no ranges of (a, b) IN ((1, 2), …). A pair that was not
/// asked for costs one index lookup and is dropped afterwards.
std::string known_statement(std::size_t days, std::size_t keys) {
    return "SELECT event_day, dedup_key, content_digest, source, status, dlq_sent, received_at FROM inbox"
           " WHERE event_day IN (" +
           parameter_list(days) + ") AND dedup_key IN (" + parameter_list(keys) + ")";
}

/// The next keys of one SELECT: up to four days and 512 keys. `keys` is sorted.
std::size_t chunk_end(std::span<const InboxKey> keys, std::size_t from) {
    std::size_t days = 1;
    std::size_t end = from + 1;
    while (end < keys.size() && end - from < key_sizes.back()) {
        if (keys[end].event_day != keys[end - 1].event_day && ++days > day_sizes.back()) break;
        ++end;
    }
    return end;
}

Result<std::vector<Row>> read_chunk(Connection& connection, std::span<const InboxKey> keys) {
    std::vector<Datum> days;
    std::vector<Datum> digests;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i].event_day != keys[i - 1].event_day) days.emplace_back(keys[i].event_day);
        digests.emplace_back(Bytes{crypto::as_text(keys[i].dedup_key)});
    }
    days.resize(fitting_size(days.size(), day_sizes), days.back());
    digests.resize(fitting_size(digests.size(), key_sizes), digests.back());
    const auto statement = known_statement(days.size(), digests.size());
    days.insert(days.end(), digests.begin(), digests.end());
    return connection.query(statement, days);
}

KnownEvent known_event(const Row& row) {
    KnownEvent event;
    event.key = {day_of(std::get<WallTime>(row.at(0))), digest_column(row.at(1))};
    event.content_digest = digest_column(row.at(2));
    event.source = text_column(row.at(3));
    event.status = status_column(row.at(4));
    event.dlq = dlq_column(row.at(5));
    event.received_at = std::get<WallTime>(row.at(6));
    return event;
}

/// The undated ones among `sorted` that are not found may have been finished long ago.
Result<std::vector<KnownEvent>> with_remembered(Connection& connection, std::span<const InboxKey> sorted,
                                                std::vector<KnownEvent> found) {
    std::vector<InboxKey> missing;
    for (const InboxKey& key : sorted) {
        if (key.event_day != record::undated) break;  // the first of all days
        if (!std::ranges::contains(found, key, &KnownEvent::key)) missing.push_back(key);
    }
    auto older = remembered(connection, missing);
    if (!older) return Failure{older.error()};
    std::ranges::move(*older, std::back_inserter(found));
    return found;
}

constexpr std::string_view inbox_head =
    "INSERT INTO inbox (event_day, dedup_key, content_digest, source, event_id, type, object_key, status, "
    "topic, offset_no, received_at, finished_at, dlq_sent, error_class, error_text, had_effects, "
    "reference, transaction, partition_no) VALUES ";
constexpr std::size_t inserted_columns = 19;

void append_columns(std::vector<Datum>& out, const InboxEntry& entry) {
    out.insert(out.end(), {entry.key.event_day, Bytes{crypto::as_text(entry.key.dedup_key)},
                           Bytes{crypto::as_text(entry.content_digest)}, Bytes{entry.source},
                           Bytes{entry.event_id}, Bytes{entry.type}, Bytes{entry.object_key.substr(0, 512)},
                           name_of(entry.status), Bytes{entry.topic}, entry.offset, entry.received_at,
                           time_datum(entry.finished_at), dlq_datum(entry.dlq),
                           bytes_or_null(entry.error_class, 64), bytes_or_null(entry.error_text, 1024),
                           whole_or_null(entry.had_effects), whole_or_null(entry.reference),
                           whole_or_null(entry.transaction), std::int64_t{entry.partition}});
}

constexpr unsigned int more_than_one_row = 1242;

/// The row fails, in any sql_mode, in a session that is not held to transactions: one that a proxy has put in
/// place of ours. It would commit the rows by themselves, which say that their effects have run. A prepared
/// statement is not known there; a text is.
void append_held_row(std::string& sql, std::vector<Datum>& row) {
    const auto partition = std::get<std::int64_t>(row.back());
    row.pop_back();
    append_row(sql, row);
    sql.pop_back();
    std::format_to(std::back_inserter(sql),
                   ",IF(@@session.transaction_read_only, {}, (SELECT 1 UNION SELECT 2)))", partition);
}

/// The INSERT of the first entries, at least one, and how many they are.
std::size_t write_insert(std::string& sql, std::span<const InboxEntry> entries, bool in_transaction) {
    sql = inbox_head;
    std::vector<Datum> row;
    std::size_t count = 0;
    while (count < std::min(entries.size(), most_inserted) && sql.size() < most_insert_bytes) {
        row.clear();
        append_columns(row, entries[count]);
        if (count > 0) sql += ',';
        if (count == 0 && in_transaction)
            append_held_row(sql, row);
        else
            append_row(sql, row);
        ++count;
    }
    return count;
}

const std::string& insert_one() {
    static const std::string statement =
        std::string{inbox_head} + '(' + parameter_list(inserted_columns) + ')';
    return statement;
}

}  // namespace

Result<std::vector<KnownEvent>> known(Connection& connection, std::span<const InboxKey> keys) {
    std::vector<InboxKey> sorted{keys.begin(), keys.end()};
    std::ranges::sort(sorted);
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());

    std::vector<KnownEvent> found;
    for (std::size_t from = 0; from < sorted.size();) {
        const auto end = chunk_end(sorted, from);
        const auto rows = read_chunk(connection, std::span{sorted}.subspan(from, end - from));
        if (!rows) return Failure{rows.error()};
        for (const auto& row : *rows) {
            auto event = known_event(row);
            if (std::ranges::binary_search(sorted, event.key)) found.push_back(std::move(event));
        }
        from = end;
    }
    return with_remembered(connection, sorted, std::move(found));
}

Result<bool> insert_unless_known(Connection& connection, const InboxEntry& entry) {
    std::vector<Datum> parameters;
    append_columns(parameters, entry);
    return connection.insert(insert_one(), parameters);
}

Result<void> insert(Connection& connection, std::span<const InboxEntry> entries) {
    if (entries.size() == 1) {
        std::vector<Datum> parameters;
        append_columns(parameters, entries.front());
        const auto done = connection.execute(insert_one(), parameters);
        return done ? Result<void>{} : Failure{done.error()};
    }
    std::string sql;
    while (!entries.empty()) {
        const std::size_t rows = write_insert(sql, entries, connection.in_transaction());
        const auto done = connection.run(sql);
        if (!done && done.error() == make_error(more_than_one_row, ""))
            return Failure{connection.end_as_moved()};
        if (!done) return Failure{done.error()};
        entries = entries.subspan(rows);
    }
    return {};
}

Result<bool> mark_dlq_sent(Connection& connection, const InboxKey& key) {
    const std::array<Datum, 2> parameters{key.event_day, Bytes{crypto::as_text(key.dedup_key)}};
    const auto matched = connection.execute(
        "UPDATE inbox SET dlq_sent = 1 WHERE event_day = ? AND dedup_key = ? AND dlq_sent = 0", parameters);
    if (!matched) return Failure{matched.error()};
    return *matched == 1;
}

}  // namespace sluice::store
