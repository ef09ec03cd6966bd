#include "consumer/store/lane/lane_sweep.hpp"

#include <array>

#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::string_view put_off_statement =
    "UPDATE lane SET wakeup_due = ?, wakeup_sent = 1 WHERE lane_key = ? AND generation = ?"
    " AND wakeup_due IS NOT NULL";

constexpr std::string_view owed_statement =
    "SELECT id, lane_key IS NOT NULL, object_key, opened_at FROM dead_letter"
    " WHERE dlq_sent = 0 AND closed_at IS NULL AND opened_at < ?"
    " AND opened_at >= ? AND (opened_at > ? OR id > ?)"
    " ORDER BY opened_at, id LIMIT 100";

constexpr std::string_view idle_statement =
    "SELECT lane_key FROM lane WHERE unfinished = 0 AND updated_at < ? LIMIT 500";

// A transaction that enters the lane meanwhile holds its lock, and what it writes is seen here.
constexpr std::string_view purge_statement =
    "DELETE FROM lane WHERE lane_key = ? AND unfinished = 0 AND updated_at < ?";

constexpr std::string_view resting_statement =
    "SELECT DISTINCT lane.lane_key, lane.object_key, lane.generation FROM dead_letter AS its"
    " FORCE INDEX (dead_letter_backlog) STRAIGHT_JOIN lane ON lane.lane_key = its.lane_key"
    " AND lane.wakeup_due IS NULL STRAIGHT_JOIN lane_event AS own ON own.lane_key = its.lane_key"
    " AND own.position = its.position AND own.lets_pass = 1 WHERE its.closed_at IS NULL AND its.kind = 'case'"
    " AND (SELECT status FROM lane_event AS front WHERE front.lane_key = its.lane_key AND lets_pass = 0"
    " ORDER BY position LIMIT 1) IN ('parked', 'retry', 'deferred') LIMIT 500";

constexpr std::string_view arm_statement =
    "UPDATE lane SET generation = generation + 1, wakeup_due = ?, wakeup_sent = 0 WHERE lane_key = ?"
    " AND generation = ? AND wakeup_due IS NULL";

}  // namespace

Result<std::vector<OverdueLane>> resting_lanes(Connection& connection) {
    const auto rows = connection.query(resting_statement, {});
    if (!rows) return Failure{rows.error()};
    std::vector<OverdueLane> resting;
    for (const auto& columns : *rows) {
        resting.push_back({digest_column(columns.at(0)), text_column(columns.at(1)),
                           std::get<std::int64_t>(columns.at(2))});
    }
    return resting;
}

Result<bool> arm_resting(Connection& connection, const OverdueLane& lane, WallTime due) {
    const std::array<Datum, 3> parameters{due, digest_datum(lane.key), lane.gen};
    const auto found = connection.execute(arm_statement, parameters);
    if (!found) return Failure{found.error()};
    return *found > 0;
}

Result<bool> put_off_wakeup(Connection& connection, const LaneKey& key, lane::Generation gen, WallTime due) {
    const std::array<Datum, 3> parameters{due, digest_datum(key), gen};
    const auto found = connection.execute(put_off_statement, parameters);
    if (!found) return Failure{found.error()};
    return *found > 0;
}

Result<std::vector<OwedDeadLetter>> owed_dead_letters(Connection& connection, WallTime before,
                                                      const std::optional<OwedDeadLetter>& after) {
    const OwedDeadLetter last = after.value_or(OwedDeadLetter{});
    const std::array<Datum, 4> parameters{before, last.opened_at, last.opened_at, last.id};
    const auto rows = connection.query(owed_statement, parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<OwedDeadLetter> owed;
    for (const auto& columns : *rows) {
        owed.push_back({.id = std::get<std::int64_t>(columns.at(0)),
                        .in_lane = std::get<std::int64_t>(columns.at(1)) != 0,
                        .object_key = text_column(columns.at(2)),
                        .opened_at = time_column(columns.at(3)).value()});
    }
    return owed;
}

Result<std::int64_t> purge_idle_lanes(Connection& connection, WallTime before) {
    const std::array<Datum, 1> candidates_before{before};
    const auto rows = connection.query(idle_statement, candidates_before);
    if (!rows) return Failure{rows.error()};
    std::int64_t purged = 0;
    for (const auto& columns : *rows) {
        const LaneKey key = digest_column(columns.at(0));
        const std::array<Datum, 2> parameters{digest_datum(key), before};
        const auto deleted = connection.execute(purge_statement, parameters);
        if (!deleted) return Failure{deleted.error()};
        purged += *deleted;
    }
    return purged;
}

}  // namespace sluice::store
