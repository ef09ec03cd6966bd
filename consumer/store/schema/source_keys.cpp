#include "consumer/store/schema/source_keys.hpp"

#include <array>
#include <utility>

#include "common/failpoint.hpp"
#include "common/record/event_record.hpp"
#include "consumer/store/driver/meta.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

RecordedKeys keys_row(const Row& columns) {
    return {.keys = {.path = text_column(columns.at(0)),
                     .provider = text_column(columns.at(1)),
                     .principal = text_column(columns.at(2)),
                     .made_of = text_column(columns.at(3))},
            .recorded_at = std::get<WallTime>(columns.at(4)),
            .operator_name = text_column(columns.at(5))};
}

std::vector<record::SourceKeys> keys_alone(const std::vector<RecordedKeys>& rows) {
    std::vector<record::SourceKeys> keys;
    for (const RecordedKeys& one : rows) keys.push_back(one.keys);
    return keys;
}

/// A path that is there gets more alternatives, and keeps who accepted it.
Result<void> put_keys(Connection& connection, const record::SourceKeys& keys, Datum who, Datum why,
                      WallTime now) {
    const std::array<Datum, 8> parameters{
        Bytes{keys.path},   Bytes{keys.provider}, Bytes{keys.principal}, Bytes{keys.made_of}, now, who, why,
        Bytes{keys.made_of}};
    const auto done = connection.execute(
        "INSERT INTO source_keys (path, provider, principal, made_of, recorded_at, operator, reason)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON DUPLICATE KEY UPDATE made_of = ?",
        parameters);
    if (!done) return Failure{done.error()};
    return {};
}

/// A transaction in which no other session writes these rows, nor reads them to write them.
Result<OpenTransaction> begin_alone(Connection& connection, WallTime now) {
    // Committed at once: two sessions that wait for each other's first row would be a deadlock.
    if (const auto there = insert_meta_once(connection, meta::keys, "", now); !there)
        return Failure{there.error()};
    auto transaction = OpenTransaction::begin(connection);
    if (!transaction) return transaction;
    if (const auto locked = lock_meta(connection, meta::keys); !locked) return Failure{locked.error()};
    return transaction;
}

Result<void> write_news(Connection& connection, std::span<const record::SourceKeys> news, WallTime now) {
    for (const record::SourceKeys& one : news)
        if (const auto done = put_keys(connection, one, nullptr, nullptr, now); !done) return done;
    return {};
}

/// What a file comes to beside what is recorded.
struct Compared {
    std::vector<record::KeyChange> changes;
    std::vector<record::SourceKeys> news;

    [[nodiscard]] bool has_to_be_written() const { return changes.empty() && !news.empty(); }
};

Result<Compared> compare(Connection& connection, std::span<const record::SourceKeys> configured) {
    const auto rows = recorded_keys(connection);
    if (!rows) return Failure{rows.error()};
    const auto known = keys_alone(*rows);
    return Compared{record::changed_keys(known, configured), record::news_of(known, configured)};
}

Result<void> forget_keys(Connection& connection, const record::SourceKeys& keys) {
    const std::array<Datum, 3> which{Bytes{keys.path}, Bytes{keys.provider}, Bytes{keys.principal}};
    const auto gone = connection.execute(
        "DELETE FROM source_keys WHERE path = ? OR (provider = ? AND principal = ?)", which);
    if (!gone) return Failure{gone.error()};
    return {};
}

}  // namespace

Result<std::vector<RecordedKeys>> recorded_keys(Connection& connection) {
    const auto rows = connection.query(
        "SELECT path, provider, principal, made_of, recorded_at, operator FROM source_keys ORDER BY path",
        {});
    if (!rows) return Failure{rows.error()};
    std::vector<RecordedKeys> recorded;
    for (const Row& columns : *rows) recorded.push_back(keys_row(columns));
    return recorded;
}

Result<std::vector<record::KeyChange>> agree_on_keys(Connection& connection,
                                                     std::span<const record::SourceKeys> configured,
                                                     WallTime now) {
    // Mostly all is known, and no session waits for another.
    auto known = compare(connection, configured);
    if (!known) return Failure{known.error()};
    if (!known->has_to_be_written()) return std::move(known->changes);
    auto alone = begin_alone(connection, now);
    if (!alone) return Failure{alone.error()};
    auto still = compare(connection, configured);
    if (!still) return Failure{still.error()};
    if (!still->has_to_be_written()) return std::move(still->changes);
    (void)FP("consumer.before_keys_are_written");
    if (const auto written = write_news(connection, still->news, now); !written)
        return Failure{written.error()};
    if (const auto committed = alone->commit(); !committed) return Failure{committed.error()};
    return std::vector<record::KeyChange>{};
}

Result<void> accept_keys(Connection& connection, std::span<const record::SourceKeys> accepted,
                         const KeysAccepted& by) {
    auto transaction = begin_alone(connection, by.at);
    if (!transaction) return Failure{transaction.error()};
    for (const record::SourceKeys& keys : accepted)
        if (const auto done = forget_keys(connection, keys); !done) return done;
    for (const record::SourceKeys& keys : accepted) {
        const auto done = put_keys(connection, keys, Bytes{by.operator_name.substr(0, 128)},
                                   Bytes{by.reason.substr(0, 1024)}, by.at);
        if (!done) return done;
    }
    return transaction->commit();
}

Result<std::int64_t> count_unfinished_objects(Connection& connection, std::string_view provider,
                                              std::string_view principal) {
    const std::string begin = record::ordering_key(provider, principal, {});
    const std::array<Datum, 2> parameters{static_cast<std::int64_t>(begin.size()), Bytes{begin}};
    const auto rows = connection.query(
        "SELECT COUNT(*) FROM lane WHERE unfinished > 0 AND LEFT(object_key, ?) = ?", parameters);
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->front().at(0));
}

}  // namespace sluice::store
