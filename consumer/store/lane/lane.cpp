#include "consumer/store/lane/lane.hpp"

#include <array>

#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/effect_names.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t front_chunk = 33;

constexpr std::string_view front_statement =
    "SELECT position, status, attempts, deferrals, due_at, first_failed_at, superseded_by_later, lets_pass,"
    " effects, effects_missing_since, event_day, dedup_key FROM lane_event WHERE lane_key = ? AND position > "
    "?"
    " AND lets_pass = 0 ORDER BY position LIMIT 33";

EventFacts facts_columns(const Row& columns) {
    return {effects_from(text_column(columns.at(8))), time_column(columns.at(9)),
            inbox_key_columns(columns.at(10), columns.at(11))};
}

/// Chunk after chunk, until a row is not deferred: that one is the head.
Result<void> read_front(Connection& connection, LockedLane& out, lane::Position after) {
    for (std::size_t count = front_chunk; count == front_chunk;) {
        const std::array<Datum, 2> parameters{digest_datum(out.key), after};
        const auto rows = connection.query(front_statement, parameters);
        if (!rows) return Failure{rows.error()};
        for (const auto& columns : *rows) {
            out.lane.front.push_back(lane_row_columns(columns));
            out.facts.push_back(facts_columns(columns));
            if (out.lane.front.back().status != lane::Status::deferred) return {};
            after = out.lane.front.back().position;
        }
        count = rows->size();
    }
    return {};
}

Result<void> read_owed_death(Connection& connection, LockedLane& out) {
    const std::array<Datum, 1> parameters{digest_datum(out.key)};
    const auto rows = connection.query(
        "SELECT position, id FROM dead_letter WHERE lane_key = ? AND closed_at IS NULL AND dlq_sent = 0"
        " ORDER BY position LIMIT 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    for (const auto& columns : *rows) {
        out.lane.dlq_owed = {.position = std::get<std::int64_t>(columns.at(0)),
                             .death = std::get<std::int64_t>(columns.at(1))};
    }
    return {};
}

Result<bool> lock_own_row(Connection& connection, LockedLane& out) {
    const std::array<Datum, 1> parameters{digest_datum(out.key)};
    const auto rows = connection.query(
        "SELECT generation, wakeup_due, wakeup_sent, unfinished, last_position FROM lane WHERE lane_key = ? "
        "FOR UPDATE",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return false;
    const auto& columns = rows->front();
    out.lane.wakeup = wakeup_columns(columns);
    out.unfinished = std::get<std::int64_t>(columns.at(3));
    out.last_position = std::get<std::int64_t>(columns.at(4));
    return true;
}

/// A generation is never used twice, even if a lane is purged and made again: it starts at the time.
Result<void> insert_lane(Connection& connection, const LaneKey& key, std::string_view ordering_key,
                         WallTime now) {
    const std::array<Datum, 4> parameters{digest_datum(key),
                                          Bytes{ordering_key.substr(0, longest_object_key)},
                                          std::int64_t{now.time_since_epoch().count()}, now};
    const auto done = connection.execute(
        "INSERT INTO lane (lane_key, object_key, generation, wakeup_due, wakeup_sent, unfinished, "
        "last_position,"
        " updated_at) VALUES (?, ?, ?, NULL, 1, 0, 0, ?) ON DUPLICATE KEY UPDATE lane_key = lane.lane_key",
        parameters);
    if (!done) return Failure{done.error()};
    return {};
}

}  // namespace

LaneKey lane_key_of(std::string_view ordering_key) {
    return crypto::sha256(ordering_key.substr(0, longest_object_key));
}

Result<std::optional<LockedLane>> lock_lane(Connection& connection, const LaneKey& key,
                                            lane::Position after) {
    LockedLane out{.key = key};
    const auto there = lock_own_row(connection, out);
    if (!there) return Failure{there.error()};
    if (!*there) return std::nullopt;
    if (const auto read = read_front(connection, out, after); !read) return Failure{read.error()};
    if (const auto read = read_owed_death(connection, out); !read) return Failure{read.error()};
    return out;
}

Result<bool> lock_lane_now(Connection& connection, const LaneKey& key) {
    const std::array<Datum, 1> parameters{digest_datum(key)};
    const auto rows =
        connection.query("SELECT generation FROM lane WHERE lane_key = ? FOR UPDATE NOWAIT", parameters);
    if (rows) return true;
    // On MySQL the second is a wait for the table, which another session alters.
    const unsigned int held = connection.is_mariadb() ? lock_wait_timed_out : lock_held;
    if (rows.error() == make_error(held, "HY000")) return false;
    return Failure{rows.error()};
}

Result<LockedLane> make_lane(Connection& connection, std::string_view ordering_key, WallTime now) {
    const auto key = lane_key_of(ordering_key);
    if (const auto made = insert_lane(connection, key, ordering_key, now); !made)
        return Failure{made.error()};
    auto locked = lock_lane(connection, key);
    if (!locked) return Failure{locked.error()};
    return std::move(locked->value());
}

Result<void> write_lane(Connection& connection, const LockedLane& lane, const lane::Wakeup& wakeup,
                        WallTime now) {
    std::vector<Datum> parameters;
    append_wakeup(parameters, wakeup);
    parameters.insert(parameters.end(), {lane.unfinished, lane.last_position, now, digest_datum(lane.key)});
    return exactly_one(connection.execute(
        "UPDATE lane SET generation = ?, wakeup_due = ?, wakeup_sent = ?, unfinished = ?, last_position = ?,"
        " updated_at = ? WHERE lane_key = ?",
        parameters));
}

Result<bool> mark_wakeup(Connection& connection, const LaneKey& key, lane::Generation gen) {
    const std::array<Datum, 2> parameters{digest_datum(key), gen};
    const auto matched = connection.execute(
        "UPDATE lane SET wakeup_sent = 1 WHERE lane_key = ? AND generation = ? AND wakeup_sent = 0",
        parameters);
    if (!matched) return Failure{matched.error()};
    return *matched == 1;
}

}  // namespace sluice::store
