#include "consumer/store/dead_letter/dead_letter.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane_rows.hpp"

namespace sluice::store {
namespace {

constexpr std::array<std::pair<DeadLetterKind, std::string_view>, 8> kind_names{{
    {DeadLetterKind::dead, "dead"},
    {DeadLetterKind::undecodable, "undecodable"},
    {DeadLetterKind::unreadable, "unreadable"},
    {DeadLetterKind::conflict, "conflict"},
    {DeadLetterKind::too_old, "too_old"},
    {DeadLetterKind::rule_case, "case"},
    {DeadLetterKind::message, "message"},
    {DeadLetterKind::newer, "newer"},
}};

constexpr std::array<std::pair<ClosedAs, std::string_view>, 6> closed_names{{
    {ClosedAs::done, "done"},
    {ClosedAs::skipped, "skipped"},
    {ClosedAs::superseded, "superseded"},
    {ClosedAs::retried, "retried"},
    {ClosedAs::closed, "closed"},
    {ClosedAs::newer, "newer"},
}};

constexpr std::string_view open_statement =
    "INSERT INTO dead_letter (kind, lane_key, position, object_key, source, type, event_id, event_day,"
    " dedup_key, content_digest, error_class, error_text, attempts, first_failed_at, topic, partition_no,"
    " offset_no, seen_once, headers, body, reference, transaction, first_died_at,"
    " dlq_sent, opened_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
    "?)";

Bytes cut(std::string_view text, std::size_t limit) {
    return Bytes{text.substr(0, limit)};
}

void append_place(std::vector<Datum>& out, const std::optional<LanePlace>& place) {
    if (place) {
        out.insert(out.end(), {digest_datum(place->lane), place->position});
    } else {
        out.insert(out.end(), {nullptr, nullptr});
    }
}

void append_identity(std::vector<Datum>& out, const DeadLetter& dead_letter) {
    out.insert(out.end(), {cut(dead_letter.object_key, 512), cut(dead_letter.source, 64),
                           cut(dead_letter.type, 128), cut(dead_letter.event_id, 255)});
    append_inbox_key(out, dead_letter.inbox);
    out.push_back(dead_letter.content_digest ? digest_datum(*dead_letter.content_digest) : Datum{nullptr});
}

void append_failure(std::vector<Datum>& out, const DeadLetter& dead_letter) {
    out.insert(out.end(),
               {cut(dead_letter.error_class, 64), cut(dead_letter.error_text, 1024),
                std::int64_t{dead_letter.attempts}, dead_letter.first_failed_at, Bytes{dead_letter.topic},
                std::int64_t{dead_letter.partition}, dead_letter.offset});
}

void append_own_record(std::vector<Datum>& out, const std::optional<DeadLetterRecord>& record) {
    if (record) {
        out.insert(out.end(), {digest_datum(record->seen_once), Bytes{record->headers}, Bytes{record->body}});
    } else {
        out.insert(out.end(), {nullptr, nullptr, nullptr});
    }
}

/// When the record died first in this place, from its earlier entries. A position is used again after a lane
/// was purged: by another record, or by the same one if an operator let its event run once more, which begins
/// anew.
Result<std::optional<WallTime>> first_death(Connection& connection, const DeadLetter& dead_letter) {
    if (!dead_letter.place) return std::nullopt;
    std::vector<Datum> parameters{digest_datum(dead_letter.place->lane), dead_letter.place->position,
                                  Bytes{dead_letter.topic}, std::int64_t{dead_letter.partition},
                                  dead_letter.offset};
    append_inbox_key(parameters, dead_letter.inbox);
    const auto rows = connection.query(
        "SELECT MIN(COALESCE(first_died_at, opened_at)) FROM dead_letter FORCE INDEX (dead_letter_place)"
        " WHERE lane_key = ? AND position = ? AND topic = ? AND partition_no = ? AND offset_no = ?"
        " AND opened_at >= COALESCE((SELECT MAX(carried_out_at) FROM operator_action WHERE event_day = ?"
        " AND dedup_key = ? AND action = 'rerun' AND answer = 'carried_out'), '1970-01-01')",
        parameters);
    if (!rows) return Failure{rows.error()};
    return time_column(rows->at(0).at(0));
}

}  // namespace

std::string_view name_of(DeadLetterKind kind) noexcept {
    return std::ranges::find(kind_names, kind, &std::pair<DeadLetterKind, std::string_view>::first)->second;
}

std::string_view name_of(ClosedAs how) noexcept {
    return std::ranges::find(closed_names, how, &std::pair<ClosedAs, std::string_view>::first)->second;
}

bool is_of_an_event(DeadLetterKind kind) noexcept {
    return kind == DeadLetterKind::dead || kind == DeadLetterKind::rule_case;
}

std::optional<DeadLetterKind> dead_letter_kind_from(std::string_view name) noexcept {
    const auto* found =
        std::ranges::find(kind_names, name, &std::pair<DeadLetterKind, std::string_view>::second);
    if (found == kind_names.end()) return std::nullopt;
    return found->first;
}

std::optional<ClosedAs> closed_as_from(std::string_view name) noexcept {
    const auto* found = std::ranges::find(closed_names, name, &std::pair<ClosedAs, std::string_view>::second);
    if (found == closed_names.end()) return std::nullopt;
    return found->first;
}

Result<std::optional<std::int64_t>> open_dead_letter(Connection& connection, const DeadLetter& dead_letter,
                                                     WallTime now) {
    const auto before = first_death(connection, dead_letter);
    if (!before) return Failure{before.error()};
    std::vector<Datum> parameters{name_of(dead_letter.kind)};
    append_place(parameters, dead_letter.place);
    append_identity(parameters, dead_letter);
    append_failure(parameters, dead_letter);
    append_own_record(parameters, dead_letter.record);
    parameters.push_back(whole_or_null(dead_letter.reference));
    parameters.push_back(whole_or_null(dead_letter.transaction));
    parameters.push_back(time_datum(*before));
    parameters.emplace_back(std::int64_t{dead_letter.owes_dlq_record ? 0 : 1});
    parameters.emplace_back(now);
    const auto inserted = connection.insert(open_statement, parameters);
    if (!inserted) return Failure{inserted.error()};
    if (!*inserted) return std::nullopt;
    const auto id = connection.query("SELECT CAST(LAST_INSERT_ID() AS SIGNED)", {});
    if (!id) return Failure{id.error()};
    return std::get<std::int64_t>(id->at(0).at(0));
}

Result<bool> mark_dead_letter_sent(Connection& connection, std::int64_t id) {
    const std::array<Datum, 1> parameters{id};
    const auto marked =
        connection.execute("UPDATE dead_letter SET dlq_sent = 1 WHERE id = ? AND dlq_sent = 0", parameters);
    if (!marked) return Failure{marked.error()};
    const auto inbox = connection.query(
        "SELECT event_day, dedup_key FROM dead_letter WHERE id = ? AND kind IN ('dead', 'case') AND "
        "closed_at IS NULL",
        parameters);
    if (!inbox) return Failure{inbox.error()};
    for (const auto& columns : *inbox) {
        const auto key = inbox_key_columns(columns.at(0), columns.at(1));
        if (!key) continue;
        if (const auto done = mark_dlq_sent(connection, *key); !done) return done;
    }
    return *marked == 1;
}

Result<std::int64_t> close_dead_letters(Connection& connection, const LanePlace& place, ClosedAs how,
                                        WallTime now) {
    const std::array<Datum, 4> parameters{now, name_of(how), digest_datum(place.lane), place.position};
    return connection.execute(
        "UPDATE dead_letter SET closed_at = ?, closed_as = ? WHERE lane_key = ? AND position = ?"
        " AND closed_at IS NULL",
        parameters);
}

Result<std::int64_t> close_dead_letter(Connection& connection, std::int64_t id, ClosedAs how, WallTime now) {
    const std::array<Datum, 3> parameters{now, name_of(how), id};
    return connection.execute(
        "UPDATE dead_letter SET closed_at = ?, closed_as = ? WHERE id = ? AND closed_at IS NULL", parameters);
}

Result<std::vector<OpenDeadLetters>> count_open_dead_letters(Connection& connection) {
    const auto rows = connection.query(
        "SELECT kind = 'case' AS are_cases, error_class, source, COUNT(*),"
        " MIN(COALESCE(first_died_at, opened_at)) FROM dead_letter"
        " WHERE closed_at IS NULL GROUP BY are_cases, error_class, source",
        {});
    if (!rows) return Failure{rows.error()};
    std::vector<OpenDeadLetters> counts;
    for (const auto& columns : *rows) {
        counts.push_back({std::get<std::int64_t>(columns.at(0)) != 0, text_column(columns.at(1)),
                          text_column(columns.at(2)), std::get<std::int64_t>(columns.at(3)),
                          std::get<WallTime>(columns.at(4))});
    }
    return counts;
}

Result<std::int64_t> count_lanes_held_by_cases(Connection& connection) {
    const auto rows = connection.query(
        "SELECT COUNT(DISTINCT its.lane_key) FROM dead_letter its WHERE its.closed_at IS NULL AND its.kind = "
        "'case' AND EXISTS (SELECT 1 FROM lane_event own WHERE own.lane_key = its.lane_key"
        " AND own.position = its.position AND own.lets_pass = 0)"
        " AND NOT EXISTS (SELECT 1 FROM dead_letter other WHERE other.lane_key = its.lane_key"
        " AND other.closed_at IS NULL AND other.kind <> 'case')"
        " AND NOT EXISTS (SELECT 1 FROM lane_event row_of WHERE row_of.lane_key = its.lane_key"
        " AND row_of.status = 'retry')",
        {});
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->at(0).at(0));
}

}  // namespace sluice::store
