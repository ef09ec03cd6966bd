#include "consumer/store/dead_letter/dead_letter_list.hpp"

#include <algorithm>
#include <array>

#include "consumer/store/dead_letter/dead_letter_columns.hpp"
#include "consumer/store/driver/condition.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

/// Bytes read as Latin-1, whose collation folds case: what an error says may be cut within a character.
constexpr std::string_view text_clause =
    "(LOCATE(CONVERT(CONVERT(? USING binary) USING latin1), CONVERT(error_text USING latin1)) > 0"
    " OR LOCATE(CONVERT(CONVERT(? USING binary) USING latin1), CONVERT(event_id USING latin1)) > 0)";

/// As consumer/apply and consumer/lane word what an effect decided: "effect NAME: …", "effect NAME is …".
constexpr std::string_view effect_clause =
    "(LOCATE(CONCAT('effect ', ?, ':'), error_text) = 1"
    " OR LOCATE(CONCAT('effect ', ?, ' is '), error_text) = 1)";

/// Entries that opened behind those of a run, by the run: few beside all that are open. Not the run's own
/// events: one that died again is what the run made of it.
constexpr std::string_view behind_run =
    "(SELECT DISTINCT later.id AS came_up FROM operator_action AS done STRAIGHT_JOIN dead_letter AS was"
    " ON was.id = done.dead_letter STRAIGHT_JOIN dead_letter AS later FORCE INDEX (dead_letter_place)"
    " ON later.lane_key = was.lane_key AND later.position > was.position"
    " WHERE done.run = ? AND done.answer = 'carried_out' AND later.closed_at IS NULL AND later.id > was.id"
    " AND NOT EXISTS (SELECT 1 FROM dead_letter AS had FORCE INDEX (dead_letter_place)"
    " JOIN operator_action AS own ON own.dead_letter = had.id AND own.run = done.run"
    " WHERE had.lane_key = later.lane_key AND had.position = later.position)) AS behind"
    " STRAIGHT_JOIN dead_letter ON dead_letter.id = behind.came_up";

/// The optimizers would rather walk the primary key past all that is closed.
std::string table_of(const DeadLetterFilter& filter) {
    if (filter.behind_run) return std::string{behind_run};
    if (filter.numbers.reference) return "dead_letter FORCE INDEX (dead_letter_reference)";
    if (filter.numbers.transaction) return "dead_letter FORCE INDEX (dead_letter_transaction)";
    return filter.which == DeadLetterFilter::Which::open ? "dead_letter FORCE INDEX (dead_letter_backlog)"
                                                         : "dead_letter";
}

std::string_view clause_of(DeadLetterFilter::Which which) {
    switch (which) {
        case DeadLetterFilter::Which::open:
            return "closed_at IS NULL";
        case DeadLetterFilter::Which::closed:
            return "closed_at IS NOT NULL";
        case DeadLetterFilter::Which::any:
            break;
    }
    return "TRUE";
}

void also_twice(Condition& condition, std::string_view clause, Bytes value) {
    condition.also(clause, value);
    condition.parameters.emplace_back(value);
}

Condition condition_of(const DeadLetterFilter& filter, std::int64_t after) {
    Condition condition{std::string{clause_of(filter.which)}, {}};
    if (filter.behind_run) condition.parameters.emplace_back(id_bytes(*filter.behind_run));  // of the table
    condition.also("id > ?", std::max(after, filter.above_id));
    condition.also("id <= ?", filter.highest_id);
    if (filter.kind) condition.also("kind = ?", name_of(*filter.kind));
    condition.also_text("source = ?", filter.source, 64);
    condition.also_text("type = ?", filter.type, 128);
    condition.also_text("object_key = ?", filter.object_key, 512);
    condition.also_text("error_class = ?", filter.error_class, 64);
    condition.also_text("event_id = ?", filter.event_id, 255);
    condition.also_text("topic = ?", filter.topic, 255);
    also_numbers(condition, filter.numbers);
    if (filter.since) condition.also("opened_at >= ?", *filter.since);
    if (filter.until) condition.also("opened_at < ?", *filter.until);
    if (filter.effect) also_twice(condition, effect_clause, Bytes{*filter.effect});
    if (!filter.text.empty()) also_twice(condition, text_clause, Bytes{filter.text});
    return condition;
}

DeadLetterKind kind_of_count(const OwnedDatum& column) {
    return dead_letter_kind_from(text_column(column)).value_or(DeadLetterKind::newer);
}

}  // namespace

Result<std::vector<DeadLetterRow>> list_dead_letters(Connection& connection, const DeadLetterFilter& filter,
                                                     std::int64_t limit, std::int64_t after) {
    auto condition = condition_of(filter, after);
    condition.parameters.emplace_back(limit);
    const auto rows =
        connection.query("SELECT " + std::string{dead_letter_columns} + " FROM " + table_of(filter) +
                             " WHERE " + condition.sql + " ORDER BY id LIMIT ?",
                         condition.parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<DeadLetterRow> dead_letters;
    for (const auto& columns : *rows) dead_letters.push_back(dead_letter_from(columns));
    return dead_letters;
}

Result<std::vector<DeadLetterCount>> count_dead_letters(Connection& connection,
                                                        const DeadLetterFilter& filter) {
    const auto condition = condition_of(filter, 0);
    const auto rows = connection.query(
        "SELECT error_class, source, kind, COUNT(*) AS many, MIN(COALESCE(first_died_at, opened_at)) FROM " +
            table_of(filter) + " WHERE " + condition.sql +
            " GROUP BY error_class, source, kind ORDER BY many DESC, error_class, source, kind",
        condition.parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<DeadLetterCount> counts;
    for (const auto& columns : *rows) {
        counts.push_back({text_column(columns.at(0)), text_column(columns.at(1)),
                          kind_of_count(columns.at(2)), std::get<std::int64_t>(columns.at(3)),
                          std::get<WallTime>(columns.at(4))});
    }
    return counts;
}

Result<std::int64_t> newest_dead_letter(Connection& connection) {
    const auto rows = connection.query("SELECT COALESCE(MAX(id), 0) FROM dead_letter", {});
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->at(0).at(0));
}

Result<Waiting> waiting_behind(Connection& connection, const LanePlace& place) {
    const std::array<Datum, 2> parameters{digest_datum(place.lane), place.position};
    const auto rows = connection.query(
        "SELECT COUNT(*), MIN(later.appended_at) FROM lane_event AS own JOIN lane_event AS later"
        " ON later.lane_key = own.lane_key AND later.position > own.position AND later.lets_pass = 0"
        " WHERE own.lane_key = ? AND own.position = ? AND own.lets_pass = 0",
        parameters);
    if (!rows) return Failure{rows.error()};
    return Waiting{std::get<std::int64_t>(rows->at(0).at(0)), time_column(rows->at(0).at(1))};
}

Result<std::vector<HeldLane>> lanes_held_by(Connection& connection, const DeadLetterFilter& filter,
                                            std::int64_t after) {
    const auto condition = condition_of(filter, after);
    const auto rows = connection.query(
        "SELECT lane.lane_key, lane.last_position, lane.unfinished - (SELECT COUNT(*) FROM lane_event AS "
        "aside"
        " WHERE aside.lane_key = lane.lane_key AND aside.lets_pass = 1), held.entries FROM (SELECT "
        "entry.lane_key"
        " AS held_key, COUNT(*) AS entries FROM (SELECT lane_key, position FROM " +
            table_of(filter) + " WHERE lane_key IS NOT NULL AND " + condition.sql +
            ") AS entry STRAIGHT_JOIN lane_event AS own ON own.lane_key = entry.lane_key AND own.position ="
            " entry.position AND own.lets_pass = 0 GROUP BY entry.lane_key) AS held"
            " STRAIGHT_JOIN lane ON lane.lane_key = held.held_key",
        condition.parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<HeldLane> lanes;
    for (const auto& columns : *rows)
        lanes.push_back({digest_column(columns.at(0)), std::get<std::int64_t>(columns.at(1)),
                         std::get<std::int64_t>(columns.at(2)), std::get<std::int64_t>(columns.at(3))});
    return lanes;
}

}  // namespace sluice::store
