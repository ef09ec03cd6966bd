#include <array>

#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/effect_names.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane.hpp"
#include "consumer/store/lane/lane_rows.hpp"

// The part of consumer/store/lane/lane.hpp that is about single events of a lane.
namespace sluice::store {
namespace {

constexpr std::string_view append_statement =
    "INSERT INTO lane_event (lane_key, position, status, attempts, deferrals, due_at, first_failed_at,"
    " superseded_by_later, lets_pass, effects, effects_missing_since, error_class, error_text, event_day, "
    "dedup_key,"
    " topic, partition_no, offset_no, appended_at, headers, body, edited, had_effects, reference,"
    " transaction) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

constexpr std::string_view write_statement =
    "UPDATE lane_event SET status = ?, attempts = ?, deferrals = ?, due_at = ?, first_failed_at = ?,"
    " superseded_by_later = ?, lets_pass = ?, effects = ?, effects_missing_since = ?, error_class = ?, "
    "error_text = ?"
    " WHERE lane_key = ? AND position = ?";

/// `effects` is the text of row.effects, in the caller's memory.
void append_changing(std::vector<Datum>& out, const LaneRow& row, std::string_view effects) {
    append_lane_row(out, row.row);
    out.insert(out.end(), {Bytes{effects}, time_datum(row.effects_missing_since),
                           bytes_or_null(row.error_class, 64), bytes_or_null(row.error_text, 1024)});
}

void append_record(std::vector<Datum>& out, const LaneRecord& record) {
    append_inbox_key(out, record.inbox);
    out.insert(out.end(), {Bytes{record.topic}, std::int64_t{record.partition}, record.offset,
                           record.appended_at, Bytes{record.headers}, Bytes{record.body},
                           std::int64_t{record.edited}, whole_or_null(record.had_effects),
                           whole_or_null(record.reference), whole_or_null(record.transaction)});
}

std::optional<std::vector<std::string>> had_column(const OwnedDatum& column) {
    const auto text = text_column(column);
    return text.empty() ? std::nullopt : std::optional{effects_from(text)};
}

StoredRecord record_columns(const Row& columns) {
    return {.topic = text_column(columns.at(0)),
            .partition = static_cast<std::int32_t>(std::get<std::int64_t>(columns.at(1))),
            .offset = std::get<std::int64_t>(columns.at(2)),
            .appended_at = std::get<WallTime>(columns.at(3)),
            .headers = text_column(columns.at(4)),
            .body = text_column(columns.at(5)),
            .edited = std::get<std::int64_t>(columns.at(6)) != 0,
            .effects = effects_from(text_column(columns.at(7))),
            .had = had_column(columns.at(8))};
}

}  // namespace

Result<void> append_event(Connection& connection, LockedLane& lane, const LaneRow& row,
                          const LaneRecord& record) {
    const auto effects = effects_text(row.effects);
    std::vector<Datum> parameters{digest_datum(lane.key), row.row.position};
    append_changing(parameters, row, effects);
    append_record(parameters, record);
    const auto done = connection.execute(append_statement, parameters);
    if (!done) return Failure{done.error()};
    ++lane.unfinished;
    lane.last_position = row.row.position;
    return {};
}

Result<void> write_event(Connection& connection, const LockedLane& lane, const LaneRow& row) {
    const auto effects = effects_text(row.effects);
    std::vector<Datum> parameters;
    append_changing(parameters, row, effects);
    parameters.insert(parameters.end(), {digest_datum(lane.key), row.row.position});
    return exactly_one(connection.execute(write_statement, parameters));
}

Result<void> remove_event(Connection& connection, LockedLane& lane, lane::Position position) {
    const std::array<Datum, 2> parameters{digest_datum(lane.key), position};
    const auto done = exactly_one(
        connection.execute("DELETE FROM lane_event WHERE lane_key = ? AND position = ?", parameters));
    if (done) --lane.unfinished;
    return done;
}

Result<std::optional<StoredRecord>> read_record(Connection& connection, const LaneKey& key,
                                                lane::Position position) {
    const std::array<Datum, 2> parameters{digest_datum(key), position};
    const auto rows = connection.query(
        "SELECT topic, partition_no, offset_no, appended_at, headers, body, edited, effects, had_effects"
        " FROM lane_event WHERE lane_key = ? AND position = ?",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return record_columns(rows->front());
}

Result<std::optional<lane::Row>> find_event(Connection& connection, const LaneKey& key,
                                            const InboxKey& event) {
    const std::array<Datum, 3> parameters{digest_datum(key), event.event_day, digest_datum(event.dedup_key)};
    const auto rows = connection.query(
        "SELECT position, status, attempts, deferrals, due_at, first_failed_at, superseded_by_later, "
        "lets_pass"
        " FROM lane_event WHERE lane_key = ? AND event_day = ? AND dedup_key = ? ORDER BY position"
        " LIMIT 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return lane_row_columns(rows->front());
}

Result<std::optional<lane::Row>> find_event_at(Connection& connection, const LaneKey& key,
                                               lane::Position position) {
    const std::array<Datum, 2> parameters{digest_datum(key), position};
    const auto rows = connection.query(
        "SELECT position, status, attempts, deferrals, due_at, first_failed_at, superseded_by_later, "
        "lets_pass"
        " FROM lane_event WHERE lane_key = ? AND position = ? AND dedup_key IS NULL",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return lane_row_columns(rows->front());
}

Result<void> edit_event(Connection& connection, const LaneKey& key, lane::Position position,
                        const EditedBody& body) {
    const std::array<Datum, 5> parameters{Bytes{body.bytes}, whole_or_null(body.reference),
                                          whole_or_null(body.transaction), digest_datum(key), position};
    return exactly_one(
        connection.execute("UPDATE lane_event SET body = ?, edited = 1, reference = COALESCE(?, reference),"
                           " transaction = COALESCE(?, transaction) WHERE lane_key = ? AND position = ?",
                           parameters));
}

Result<bool> has_later_of(Connection& connection, const LaneKey& key, lane::Position position,
                          std::span<const std::string> effects) {
    const auto names = effects_text(effects);
    const std::array<Datum, 3> parameters{digest_datum(key), position, Bytes{names}};
    const auto rows = connection.query(
        "SELECT 1 FROM lane_event WHERE lane_key = ? AND position > ? AND status <> 'dead' AND effects = ?"
        " LIMIT 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    return !rows->empty();
}

}  // namespace sluice::store
