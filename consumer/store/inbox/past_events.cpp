#include "consumer/store/inbox/past_events.hpp"

#include <algorithm>
#include <array>

#include "consumer/store/driver/condition.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::string_view select_past =
    ", event_payload.headers, event_payload.headers IS NULL AND EXISTS (SELECT 1 FROM erasure"
    " WHERE erasure.lane_key = UNHEX(SHA2(inbox.object_key, 256))"
    " AND COALESCE(erasure.finished_at, erasure.begun_at) >= inbox.finished_at),"
    " EXISTS (SELECT 1 FROM outbox WHERE outbox.dedup_key = inbox.dedup_key)"
    " FROM inbox LEFT JOIN event_payload ON event_payload.event_day = inbox.event_day"
    " AND event_payload.dedup_key = inbox.dedup_key WHERE inbox.event_day = ?";

/// The thousandth key behind `after` on its day; nullopt when fewer are left.
Result<std::optional<crypto::Digest>> thousandth_key(Connection& connection, const InboxKey& after) {
    const std::array<Datum, 2> parameters{after.event_day, digest_datum(after.dedup_key)};
    const auto rows = connection.query(
        "SELECT dedup_key FROM inbox WHERE event_day = ? AND dedup_key > ? ORDER BY dedup_key"
        " LIMIT 1 OFFSET 999",
        parameters);
    if (!rows) return Failure{rows.error()};
    return rows->empty() ? std::nullopt : std::optional{digest_column(rows->front().at(0))};
}

Result<std::optional<InboxKey>> first_of_next_day(Connection& connection, std::chrono::sys_days day) {
    const auto next = next_inbox_day(connection, day);
    if (!next) return Failure{next.error()};
    if (!*next) return std::nullopt;
    return InboxKey{.event_day = **next, .dedup_key = {}};
}

/// The parameters are views of the arguments.
Condition condition_of(const PastFilter& filter, const InboxKey& after, const crypto::Digest& last) {
    Condition condition{{}, {after.event_day}};
    condition.also("inbox.dedup_key > ?", digest_datum(after.dedup_key));
    condition.also("inbox.dedup_key <= ?", digest_datum(last));
    if (filter.status) condition.also("status = ?", name_of(*filter.status));
    if (!filter.status && !filter.of_any_status) condition.sql += " AND status IN ('done', 'ignored')";
    condition.also_text("source = ?", filter.source);
    condition.also_text("type = ?", filter.type);
    condition.also_text("object_key = ?", filter.object_key);
    if (filter.since) condition.also("received_at >= ?", *filter.since);
    if (filter.until) condition.also("received_at < ?", *filter.until);
    return condition;
}

PastEvent past_event_columns(const Row& columns) {
    const auto* headers = std::get_if<std::string>(&columns.at(columns.size() - 3));
    return {.row = inbox_row(columns),
            .headers = headers != nullptr ? std::optional{*headers} : std::nullopt,
            .erased = std::get<std::int64_t>(columns.at(columns.size() - 2)) != 0,
            .has_messages = std::get<std::int64_t>(columns.back()) != 0};
}

}  // namespace

Result<PastPage> past_events(Connection& connection, const PastFilter& filter, const InboxKey& after) {
    const auto end = thousandth_key(connection, after);
    if (!end) return Failure{end.error()};
    crypto::Digest last{};
    last.fill(0xff);
    if (*end) last = **end;
    const auto condition = condition_of(filter, after, last);
    const auto rows = connection.query("SELECT " + std::string{inbox_columns} + std::string{select_past} +
                                           condition.sql + " ORDER BY inbox.dedup_key",
                                       condition.parameters);
    if (!rows) return Failure{rows.error()};
    PastPage page;
    for (const auto& columns : *rows) page.events.push_back(past_event_columns(columns));
    if (*end) {
        page.next = {.event_day = after.event_day, .dedup_key = last};
        return page;
    }
    auto next = first_of_next_day(connection, after.event_day);
    if (!next) return Failure{next.error()};
    page.next = *next;
    return page;
}

Result<std::optional<PastEvent>> past_event(Connection& connection, const InboxKey& key) {
    const std::array<Datum, 2> parameters{key.event_day, digest_datum(key.dedup_key)};
    const auto rows = connection.query(
        "SELECT " + std::string{inbox_columns} + std::string{select_past} + " AND inbox.dedup_key = ?",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return past_event_columns(rows->front());
}

}  // namespace sluice::store
