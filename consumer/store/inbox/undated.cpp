#include "consumer/store/inbox/undated.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "common/record/event_record.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/day_partitions.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

using Chunk = std::array<Datum, 4>;  // day, first key (without it), last key, received before

constexpr std::string_view chunk_condition =
    " WHERE inbox.event_day = ? AND inbox.dedup_key > ? AND inbox.dedup_key <= ? AND inbox.received_at < ? "
    "AND ";

/// The thousandth key after `from`; nullopt when fewer are left.
Result<std::optional<std::string>> end_of_chunk(Connection& connection, std::string_view keys,
                                                const std::string& from) {
    const std::array<Datum, 1> parameters{Bytes{from}};
    const auto rows = connection.query("SELECT dedup_key FROM " + std::string{keys} +
                                           " AND dedup_key > ? ORDER BY dedup_key LIMIT 1 OFFSET 999",
                                       parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return text_column(rows->front().at(0));
}

/// Chunk after chunk, `what(from, to)` says how many rows it deleted.
Result<std::int64_t> walk(Connection& connection, std::string_view keys, auto what) {
    const std::string last(32, '\xff');
    std::string from;  // less than any key
    std::int64_t total = 0;
    for (;;) {
        const auto to = end_of_chunk(connection, keys, from);
        if (!to) return Failure{to.error()};
        const Result<std::int64_t> deleted = what(from, to->value_or(last));
        if (!deleted) return Failure{deleted.error()};
        total += *deleted;
        if (!*to) return total;
        from = **to;
    }
}

Result<std::int64_t> remember(Connection& connection, const Chunk& chunk) {
    return connection.execute(
        "INSERT INTO undated_key (dedup_key, content_digest, source, received_day)"
        " SELECT dedup_key, content_digest, source, DATE(received_at) FROM inbox" +
            std::string{chunk_condition} + std::string{finished_condition} +
            " ON DUPLICATE KEY UPDATE received_day = undated_key.received_day",
        chunk);
}

/// A row that was finished after its neighbours were remembered waits for the next sweep.
Result<std::int64_t> delete_from(Connection& connection, const Chunk& chunk, const char* table,
                                 bool keeps_keys) {
    const std::string remembered_too =
        keeps_keys ? " JOIN undated_key ON undated_key.dedup_key = inbox.dedup_key" : "";
    const std::string statement = "DELETE " + std::string{table} + " FROM inbox" + remembered_too +
                                  " LEFT JOIN event_payload ON event_payload.event_day = inbox.event_day AND"
                                  " event_payload.dedup_key = inbox.dedup_key" +
                                  std::string{chunk_condition} + std::string{finished_condition};
    return connection.execute(statement, chunk);
}

Result<std::int64_t> delete_chunk(Connection& connection, const Chunk& chunk, bool keeps_keys) {
    auto transaction = OpenTransaction::begin(connection);
    if (!transaction) return Failure{transaction.error()};
    if (keeps_keys) {
        if (const auto kept = remember(connection, chunk); !kept) return kept;
        if (FP("consumer.undated_remembered")) return Failure{errc::injected};
    }
    // The payload while its row is still there to say so, then the row.
    auto deleted = delete_from(connection, chunk, "event_payload", keeps_keys);
    if (deleted) deleted = delete_from(connection, chunk, "inbox", keeps_keys);
    if (!deleted) return deleted;
    if (FP("consumer.before_undated_commit")) return Failure{errc::injected};
    if (const auto committed = transaction->commit(); !committed) return Failure{committed.error()};
    (void)FP("consumer.after_undated_commit");
    return deleted;
}

constexpr std::array<std::size_t, 5> remembered_sizes{1, 8, 32, 128, 512};

Result<void> read_remembered(Connection& connection, std::span<const InboxKey> keys,
                             std::vector<KnownEvent>& out) {
    std::vector<Datum> digests;
    for (const InboxKey& key : keys) digests.emplace_back(digest_datum(key.dedup_key));
    digests.resize(fitting_size(digests.size(), remembered_sizes), digests.back());
    const auto rows =
        connection.query("SELECT dedup_key, content_digest, source FROM undated_key WHERE dedup_key IN (" +
                             parameter_list(digests.size()) + ")",
                         digests);
    if (!rows) return Failure{rows.error()};
    for (const auto& row : *rows) {
        KnownEvent event;
        event.key.dedup_key = digest_column(row.at(0));
        event.content_digest = digest_column(row.at(1));
        event.source = text_column(row.at(2));
        out.push_back(std::move(event));
    }
    return {};
}

}  // namespace

Result<std::int64_t> delete_undated(Connection& connection, WallTime cutoff, bool keeps_keys) {
    return walk(connection, "inbox WHERE event_day = '1970-01-01'",
                [&](const std::string& from, const std::string& to) {
                    const Chunk chunk{record::undated, Bytes{from}, Bytes{to}, cutoff};
                    return delete_chunk(connection, chunk, keeps_keys);
                });
}

Result<std::int64_t> forget_undated_keys(Connection& connection, std::chrono::sys_days day) {
    return walk(connection, "undated_key WHERE TRUE", [&](const std::string& from, const std::string& to) {
        const std::array<Datum, 3> parameters{Bytes{from}, Bytes{to}, day};
        return connection.execute(
            "DELETE FROM undated_key WHERE dedup_key > ? AND dedup_key <= ? AND received_day < ?",
            parameters);
    });
}

Result<std::vector<KnownEvent>> remembered(Connection& connection, std::span<const InboxKey> keys) {
    std::vector<KnownEvent> found;
    while (!keys.empty()) {
        const auto chunk = keys.first(std::min(keys.size(), remembered_sizes.back()));
        if (const auto read = read_remembered(connection, chunk, found); !read) return Failure{read.error()};
        keys = keys.subspan(chunk.size());
    }
    return found;
}

Result<std::optional<KnownEvent>> remembered(Connection& connection, const InboxKey& key) {
    if (key.event_day != record::undated) return std::nullopt;
    auto found = remembered(connection, std::span{&key, 1});
    if (!found) return Failure{found.error()};
    if (found->empty()) return std::nullopt;
    return std::move(found->front());
}

Result<bool> came_before(Connection& connection, const InboxKey& key) {
    if (key.event_day != record::undated) return false;
    const auto row = find(connection, key);
    if (!row) return Failure{row.error()};
    return row->has_value();
}

}  // namespace sluice::store
