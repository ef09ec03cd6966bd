#include "consumer/store/lane/lane_list.hpp"

#include <array>

#include "consumer/store/inbox/effect_names.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::store {
namespace {

// The state of a lane as consumer/lane/rules/lane.hpp derives it: what lets others pass is as good as not
// there, and tells of a lane only where nothing else stands in it.
constexpr std::string_view lanes_select =
    "SELECT lane.lane_key, lane.object_key, generation, wakeup_due, wakeup_sent, unfinished, updated_at,"
    " COALESCE((SELECT status FROM lane_event AS e WHERE e.lane_key = lane.lane_key AND lets_pass = 0"
    " AND status <> 'deferred' ORDER BY position LIMIT 1), (SELECT status FROM lane_event AS e"
    " WHERE e.lane_key = lane.lane_key AND status = 'deferred' LIMIT 1), '') AS head,"
    " COALESCE((SELECT error_class FROM lane_event AS e WHERE e.lane_key = lane.lane_key AND lets_pass = 0"
    " AND status <> 'deferred' ORDER BY position LIMIT 1), (SELECT error_class FROM lane_event AS e"
    " WHERE e.lane_key = lane.lane_key AND lets_pass = 0 ORDER BY position LIMIT 1), (SELECT error_class"
    " FROM lane_event AS e WHERE e.lane_key = lane.lane_key ORDER BY position LIMIT 1)) AS class,"
    " COALESCE((SELECT appended_at FROM lane_event AS e WHERE e.lane_key = lane.lane_key AND lets_pass = 0"
    " ORDER BY position LIMIT 1), (SELECT appended_at FROM lane_event AS e WHERE e.lane_key = lane.lane_key"
    " ORDER BY position LIMIT 1)) AS since FROM lane WHERE ";

// The page first, then its inbox rows: a join in one piece reads the whole lane.
constexpr std::string_view events_select =
    "SELECT position, e.status, attempts, deferrals, due_at, first_failed_at, superseded_by_later, lets_pass,"
    " effects, effects_missing_since, e.error_class, e.error_text, e.event_day, e.dedup_key, e.topic, "
    "e.partition_no,"
    " e.offset_no, appended_at, edited, i.event_id, i.type, e.reference, e.transaction FROM (SELECT "
    "position, status, attempts, "
    "deferrals,"
    " due_at, first_failed_at, superseded_by_later, lets_pass, effects, effects_missing_since, error_class, "
    "error_text,"
    " event_day, dedup_key, topic, partition_no, offset_no, appended_at, edited, reference, transaction FROM "
    "lane_event"
    " WHERE lane_key = ?";
constexpr std::string_view events_join =
    " ORDER BY position LIMIT ?) AS e LEFT JOIN inbox AS i ON i.event_day = e.event_day"
    " AND i.dedup_key = e.dedup_key ORDER BY position";

/// By the status of what holds the lane; empty: nothing is unfinished, or only cases that let others pass.
lane::State state_column(const OwnedDatum& column) {
    const std::string status = text_column(column);
    if (status.empty()) return lane::State::open;
    lane::Lane front;
    front.front.emplace_back().status = lane::status_from(status).value_or(lane::Status::newer);
    return lane::state_of(front);
}

LaneSummary lane_summary(const Row& columns) {
    return {.key = digest_column(columns.at(0)),
            .object_key = text_column(columns.at(1)),
            .state = state_column(columns.at(7)),
            .wakeup = wakeup_columns({columns.at(2), columns.at(3), columns.at(4)}),
            .unfinished = std::get<std::int64_t>(columns.at(5)),
            .since = time_column(columns.at(9)),
            .error_class = text_column(columns.at(8)),
            .updated_at = std::get<WallTime>(columns.at(6))};
}

LaneEventRow event_row(const Row& columns) {
    return {.row = lane_row_columns(columns),
            .effects = effects_from(text_column(columns.at(8))),
            .effects_missing_since = time_column(columns.at(9)),
            .error_class = text_column(columns.at(10)),
            .error_text = text_column(columns.at(11)),
            .inbox = inbox_key_columns(columns.at(12), columns.at(13)),
            .topic = text_column(columns.at(14)),
            .partition = static_cast<std::int32_t>(std::get<std::int64_t>(columns.at(15))),
            .offset = std::get<std::int64_t>(columns.at(16)),
            .appended_at = std::get<WallTime>(columns.at(17)),
            .edited = std::get<std::int64_t>(columns.at(18)) != 0,
            .event_id = text_column(columns.at(19)),
            .type = text_column(columns.at(20)),
            .reference = text_column(columns.at(21)),
            .transaction = text_column(columns.at(22))};
}

/// The status that the head of a lane in `state` has.
std::string_view head_in(lane::State state) {
    switch (state) {
        case lane::State::open:
            return "";
        case lane::State::deferring:
            return "deferred";
        case lane::State::waiting:
            return "retry";
        case lane::State::draining:
            return "parked";
        case lane::State::quarantined:
            break;
    }
    return "dead";
}

Result<std::vector<LaneSummary>> lanes_where(Connection& connection, std::string_view rest,
                                             std::span<const Datum> parameters) {
    const auto rows = connection.query(std::string{lanes_select} + std::string{rest}, parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<LaneSummary> lanes;
    for (const auto& columns : *rows) lanes.push_back(lane_summary(columns));
    return lanes;
}

Result<std::vector<LaneEventRow>> events_where(Connection& connection, std::string_view condition,
                                               std::span<const Datum> parameters) {
    const auto rows = connection.query(
        std::string{events_select} + std::string{condition} + std::string{events_join}, parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<LaneEventRow> events;
    for (const auto& columns : *rows) events.push_back(event_row(columns));
    return events;
}

}  // namespace

Result<std::vector<LaneSummary>> list_lanes(Connection& connection, std::optional<lane::State> state,
                                            std::int64_t limit) {
    if (!state) {
        const std::array<Datum, 1> parameters{limit};
        return lanes_where(connection, "unfinished > 0 ORDER BY head = '', since, lane.lane_key LIMIT ?",
                           parameters);
    }
    const std::array<Datum, 2> parameters{Bytes{head_in(*state)}, limit};
    return lanes_where(connection, "unfinished > 0 HAVING head = ? ORDER BY since, lane.lane_key LIMIT ?",
                       parameters);
}

Result<std::optional<LaneSummary>> find_lane(Connection& connection, const LaneKey& key) {
    const std::array<Datum, 1> parameters{digest_datum(key)};
    auto lanes = lanes_where(connection, "lane.lane_key = ?", parameters);
    if (!lanes) return Failure{lanes.error()};
    if (lanes->empty()) return std::nullopt;
    return std::move(lanes->front());
}

Result<std::vector<LaneSummary>> lanes_of_payment(Connection& connection, const NumbersAsked& asked,
                                                  std::int64_t limit) {
    Condition condition{"TRUE", {}};
    also_numbers(condition, asked);
    condition.parameters.emplace_back(limit);
    return lanes_where(connection,
                       "lane.lane_key IN (SELECT lane_key FROM lane_event WHERE " + condition.sql +
                           ") ORDER BY since, lane.lane_key LIMIT ?",
                       condition.parameters);
}

Result<std::vector<LaneCount>> count_lanes(Connection& connection) {
    const auto rows = connection.query(
        "SELECT head, COUNT(*) AS lanes, CAST(SUM(unfinished) AS SIGNED), MIN(since) FROM (" +
            std::string{lanes_select} + "unfinished > 0) AS busy GROUP BY head ORDER BY lanes DESC, head",
        {});
    if (!rows) return Failure{rows.error()};
    std::vector<LaneCount> counts;
    for (const auto& columns : *rows) {
        counts.push_back({state_column(columns.at(0)), std::get<std::int64_t>(columns.at(1)),
                          std::get<std::int64_t>(columns.at(2)), time_column(columns.at(3))});
    }
    return counts;
}

Result<std::vector<LaneEventRow>> list_events(Connection& connection, const LaneKey& key, std::int64_t limit,
                                              lane::Position after) {
    const std::array<Datum, 3> parameters{digest_datum(key), after, limit};
    return events_where(connection, " AND position > ?", parameters);
}

Result<std::optional<LaneEventRow>> find_event_row(Connection& connection, const LaneKey& key,
                                                   const InboxKey& event) {
    const std::array<Datum, 4> parameters{digest_datum(key), event.event_day, digest_datum(event.dedup_key),
                                          std::int64_t{1}};
    auto events = events_where(connection, " AND event_day = ? AND dedup_key = ?", parameters);
    if (!events) return Failure{events.error()};
    if (events->empty()) return std::nullopt;
    return std::move(events->front());
}

std::optional<lane::State> lane_state_from(std::string_view name) noexcept {
    for (const auto state : {lane::State::open, lane::State::deferring, lane::State::waiting,
                             lane::State::draining, lane::State::quarantined}) {
        if (lane::name_of(state) == name) return state;
    }
    return std::nullopt;
}

}  // namespace sluice::store
