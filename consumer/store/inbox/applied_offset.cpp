#include "consumer/store/inbox/applied_offset.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::int64_t stale_after_seconds = 24 * 3600;

constexpr std::string_view insert_head =
    "INSERT INTO applied_offset (group_id, topic_id, partition_no, writer, next_offset, updated_at) VALUES";
// On another server than the writer's, or in a session that does not have the transaction that it was begun
// for (see Connection), the writer is NULL, which its column refuses (1048).
constexpr std::string_view insert_row =
    "(?, ?, ?, IF(? IN ('', CONCAT(@@global.server_id, '/', @@hostname, '/', @@transaction_read_only + 0)),"
    " ?, NULL), ?, UTC_TIMESTAMP(6))";
constexpr int column_is_null = 1048;

const RowStatements& statements_of(WriteMode mode) {
    static const RowStatements raise{
        insert_head, insert_row,
        " ON DUPLICATE KEY UPDATE next_offset = GREATEST(next_offset, VALUES(next_offset)),"
        " updated_at = VALUES(updated_at)"};
    static const RowStatements restart{
        insert_head, insert_row,
        " ON DUPLICATE KEY UPDATE next_offset = VALUES(next_offset), updated_at = VALUES(updated_at)"};
    return mode == WriteMode::raise ? raise : restart;
}

/// What the session says of itself where nobody has moved it.
std::string expected_place(const Connection& connection, std::string_view server) {
    if (server.empty()) return {};
    return std::string{server} + (connection.in_transaction() ? "/1" : "/0");
}

Result<std::vector<AppliedOffsetRow>> read_applied_offset_rows(Connection& connection,
                                                               const std::string& group) {
    const std::array<Datum, 1> parameters{Bytes{group}};
    const auto found = connection.query(
        "SELECT topic_id, partition_no, writer, next_offset,"
        " TIMESTAMPDIFF(SECOND, updated_at, UTC_TIMESTAMP(6)) FROM applied_offset WHERE group_id = ?",
        parameters);
    if (!found) return Failure{found.error()};
    std::vector<AppliedOffsetRow> rows;
    for (const auto& columns : *found) {
        rows.push_back({text_column(columns.at(0)),
                        static_cast<std::int32_t>(std::get<std::int64_t>(columns.at(1))),
                        text_column(columns.at(2)), std::get<std::int64_t>(columns.at(3)),
                        std::get<std::int64_t>(columns.at(4))});
    }
    return rows;
}

}  // namespace

Result<std::string> server_name(Connection& connection) {
    const auto rows = connection.query("SELECT CONCAT(@@global.server_id, '/', @@hostname)", {});
    if (!rows) return Failure{rows.error()};
    return text_column(rows->at(0).at(0));
}

Result<void> write_applied_offsets(Connection& connection, const OffsetWriter& writer,
                                   std::span<const AppliedOffset> offsets, WriteMode mode) {
    std::vector<Datum> parameters;
    const auto place = expected_place(connection, writer.server);
    for (const std::size_t rows : cut_rows(offsets.size())) {
        parameters.clear();
        for (const auto& one : offsets.first(rows)) {
            parameters.insert(parameters.end(),
                              {Bytes{writer.group}, Bytes{writer.topic_id}, std::int64_t{one.partition},
                               Bytes{place}, Bytes{writer.name}, one.next_offset});
        }
        const auto done = connection.execute(statements_of(mode).of(rows), parameters);
        if (!done && done.error() == make_error(column_is_null, ""))
            return Failure{connection.end_as_moved()};
        if (!done) return Failure{done.error()};
        offsets = offsets.subspan(rows);
    }
    return {};
}

Result<std::map<std::int32_t, std::int64_t>> applied_offsets(Connection& connection, std::string_view group,
                                                             std::string_view topic_id) {
    const std::array<Datum, 2> parameters{Bytes{group}, Bytes{topic_id}};
    const auto rows = connection.query(
        "SELECT partition_no, MAX(next_offset) FROM applied_offset WHERE group_id = ? AND topic_id = ?"
        " GROUP BY partition_no",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::map<std::int32_t, std::int64_t> offsets;
    for (const auto& columns : *rows) {
        offsets.emplace(static_cast<std::int32_t>(std::get<std::int64_t>(columns.at(0))),
                        std::get<std::int64_t>(columns.at(1)));
    }
    return offsets;
}

Result<void> forget_applied_offsets(Connection& connection, std::string_view group, std::string_view topic_id,
                                    std::int32_t partition) {
    const std::array<Datum, 3> parameters{Bytes{group}, Bytes{topic_id}, std::int64_t{partition}};
    const auto done = connection.execute(
        "DELETE FROM applied_offset WHERE group_id = ? AND topic_id = ? AND partition_no = ?", parameters);
    if (!done) return Failure{done.error()};
    return {};
}

std::vector<AppliedOffsetRow> stale_applied_offsets(std::span<const AppliedOffsetRow> rows) {
    std::map<std::pair<std::string, std::int32_t>, std::int64_t> maximum;
    for (const auto& one : rows) {
        auto& top = maximum.try_emplace({one.topic_id, one.partition}, one.next_offset).first->second;
        top = std::max(top, one.next_offset);
    }
    std::vector<AppliedOffsetRow> stale;
    for (const auto& one : rows) {
        const bool is_old = one.age_seconds >= stale_after_seconds;
        if (is_old && one.next_offset < maximum.at({one.topic_id, one.partition})) stale.push_back(one);
    }
    return stale;
}

Result<std::int64_t> delete_stale_applied_offsets(Connection& connection, const std::string& group) {
    const auto rows = read_applied_offset_rows(connection, group);
    if (!rows) return Failure{rows.error()};
    std::int64_t deleted = 0;
    for (const auto& one : stale_applied_offsets(*rows)) {
        // The offset and the age again: its owner may have come back since.
        const std::array<Datum, 5> parameters{Bytes{group}, Bytes{one.topic_id}, std::int64_t{one.partition},
                                              Bytes{one.writer}, one.next_offset};
        const auto done = connection.execute(
            "DELETE FROM applied_offset WHERE group_id = ? AND topic_id = ? AND partition_no = ?"
            " AND writer = ? AND next_offset = ? AND updated_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY",
            parameters);
        if (!done) return Failure{done.error()};
        deleted += *done;
    }
    return deleted;
}

}  // namespace sluice::store
