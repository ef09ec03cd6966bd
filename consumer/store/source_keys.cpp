#include "consumer/store/source_keys.hpp"

#include <algorithm>
#include <array>

#include "common/error.hpp"
#include "common/record/event_record.hpp"
#include "consumer/store/inbox_columns.hpp"
#include "consumer/store/open_transaction.hpp"

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

/// False where somebody was faster.
Result<bool> insert_keys(Connection& connection, const record::SourceKeys& keys, Datum who, Datum why,
                         WallTime now) {
    const std::array<Datum, 7> parameters{
        Bytes{keys.path}, Bytes{keys.provider}, Bytes{keys.principal}, Bytes{keys.made_of}, now, who, why};
    return connection.insert(
        "INSERT INTO source_keys (path, provider, principal, made_of, recorded_at, operator, reason)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        parameters);
}

/// More alternatives than `before`, unless somebody has written others meanwhile.
Result<std::int64_t> lengthen(Connection& connection, const record::SourceKeys& keys,
                              const std::string& before) {
    const std::array<Datum, 3> parameters{Bytes{keys.made_of}, Bytes{keys.path}, Bytes{before}};
    return connection.execute("UPDATE source_keys SET made_of = ? WHERE path = ? AND made_of = ?",
                              parameters);
}

Result<void> write_news(Connection& connection, const std::vector<record::SourceKeys>& before,
                        std::span<const record::SourceKeys> configured, WallTime now) {
    for (const record::SourceKeys& one : record::news_of(before, configured)) {
        const auto known = std::ranges::find(before, one.path, &record::SourceKeys::path);
        if (known != before.end()) {
            if (const auto done = lengthen(connection, one, known->made_of); !done)
                return Failure{done.error()};
        } else if (const auto done = insert_keys(connection, one, nullptr, nullptr, now); !done) {
            return Failure{done.error()};
        }
    }
    return {};
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
    const auto before = recorded_keys(connection);
    if (!before) return Failure{before.error()};
    const auto known = keys_alone(*before);
    if (auto changes = record::changed_keys(known, configured); !changes.empty()) return changes;
    if (record::news_of(known, configured).empty()) return std::vector<record::KeyChange>{};
    if (const auto written = write_news(connection, known, configured, now); !written)
        return Failure{written.error()};
    // Somebody with another file may have written at the same moment.
    const auto after = recorded_keys(connection);
    if (!after) return Failure{after.error()};
    return record::changed_keys(keys_alone(*after), configured);
}

Result<void> accept_keys(Connection& connection, std::span<const record::SourceKeys> accepted,
                         const KeysAccepted& by) {
    auto transaction = OpenTransaction::begin(connection);
    if (!transaction) return Failure{transaction.error()};
    for (const record::SourceKeys& keys : accepted)
        if (const auto done = forget_keys(connection, keys); !done) return done;
    for (const record::SourceKeys& keys : accepted) {
        const auto done = insert_keys(connection, keys, Bytes{by.operator_name.substr(0, 128)},
                                      Bytes{by.reason.substr(0, 1024)}, by.at);
        if (!done) return Failure{done.error()};
        if (!*done) return Failure{errc::unlisted_row_count};  // somebody writes here at this moment
    }
    return transaction->commit();
}

Result<std::int64_t> count_unfinished_objects(Connection& connection, std::string_view provider,
                                              std::string_view principal) {
    const std::string begin = record::record_key(provider, principal, {});
    const std::array<Datum, 2> parameters{static_cast<std::int64_t>(begin.size()), Bytes{begin}};
    const auto rows = connection.query(
        "SELECT COUNT(*) FROM lane WHERE unfinished > 0 AND LEFT(object_key, ?) = ?", parameters);
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->front().at(0));
}

}  // namespace sluice::store
