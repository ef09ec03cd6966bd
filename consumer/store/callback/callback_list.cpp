#include "consumer/store/callback/callback_list.hpp"

#include <algorithm>
#include <utility>

#include "common/time_text.hpp"
#include "consumer/store/driver/condition.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

/// What is kept of requests may be large, and is for those who look at one.
constexpr std::string_view select_callbacks =
    "SELECT c.received_day, c.log, c.partition_no, c.offset_no, c.number, c.received_at, c.source, c.verdict,"
    " c.reason, c.status, c.client, c.requests, c.trace, c.body_size, c.took_us, c.event_id, c.type,"
    " c.object_key, c.event_day, c.dedup_key, i.status, i.had_effects, c.payment, c.amount, c.currency";
constexpr std::string_view with_request = ", c.headers, c.body";
constexpr std::string_view from_callbacks = " FROM callback c";
constexpr std::string_view with_event =
    " LEFT JOIN inbox i ON i.event_day = c.event_day AND i.dedup_key = c.dedup_key WHERE TRUE";
/// Left to itself, the server reads and sorts the whole table to find the newest.
constexpr std::string_view from_the_newest = " FORCE INDEX (callback_time)";

std::int64_t number_in(const OwnedDatum& column) {
    return std::get<std::int64_t>(column);
}

CallbackPlace callback_place(const Row& row) {
    return {static_cast<CallbackPlace::Log>(number_in(row.at(1))),
            static_cast<std::int32_t>(number_in(row.at(2))), number_in(row.at(3)), number_in(row.at(4))};
}

std::optional<InboxKey> callback_event(const Row& row) {
    const auto day = time_column(row.at(18));
    if (!day || std::holds_alternative<std::nullptr_t>(row.at(19))) return std::nullopt;
    return InboxKey{day_of(*day), digest_column(row.at(19))};
}

ListedCallback callback_of(const Row& row) {
    ListedCallback one;
    one.day = day_of(std::get<WallTime>(row.at(0)));
    one.place = callback_place(row);
    one.received_at = std::get<WallTime>(row.at(5));
    one.source = text_column(row.at(6));
    one.verdict = text_column(row.at(7));
    one.reason = text_column(row.at(8));
    one.status = number_or_none(row.at(9));
    one.client = text_column(row.at(10));
    one.requests = number_in(row.at(11));
    one.trace = text_column(row.at(12));
    one.body_size = number_or_none(row.at(13));
    one.took_us = number_or_none(row.at(14));
    one.event_id = text_column(row.at(15));
    one.type = text_column(row.at(16));
    one.object_key = text_column(row.at(17));
    one.event = callback_event(row);
    one.event_status = text_column(row.at(20));
    one.had_effects = text_column(row.at(21));
    one.payment = text_column(row.at(22));
    one.amount = number_or_none(row.at(23));
    one.currency = text_column(row.at(24));
    if (row.size() == 25) return one;
    one.headers = text_column(row.at(25));
    if (!std::holds_alternative<std::nullptr_t>(row.at(26))) one.body = text_column(row.at(26));
    return one;
}

/// Partitions are days, so a time is a day too.
void also_times(Condition& condition, const CallbackFilter& filter) {
    if (filter.since) {
        condition.also("c.received_day >= ?", day_of(*filter.since));
        condition.also("c.received_at >= ?", *filter.since);
    }
    if (filter.until) {
        condition.also("c.received_day <= ?", day_of(*filter.until));
        condition.also("c.received_at < ?", *filter.until);
    }
}

Condition callback_condition(const CallbackFilter& filter) {
    Condition condition;
    if (filter.events) {
        condition.sql += " AND c.dedup_key IN (" + parameter_list(filter.events->size()) + ")";
        for (const auto& event : *filter.events) condition.parameters.push_back(digest_datum(event));
    }
    if (filter.object_key) condition.also("c.object_hash = ?", object_hash(*filter.object_key));
    condition.also_text("c.object_key = ?", filter.object_key, 512);
    condition.also_text("c.client = ?", filter.client);
    condition.also_text("c.source = ?", filter.source);
    condition.also_text("c.verdict = ?", filter.verdict);
    also_times(condition, filter);
    return condition;
}

}  // namespace

Result<std::vector<ListedCallback>> list_callbacks(Connection& connection, const CallbackFilter& filter) {
    if (filter.events && filter.events->empty()) return std::vector<ListedCallback>{};
    Condition condition = callback_condition(filter);
    condition.parameters.emplace_back(filter.limit);
    const bool has_narrow_index = filter.events || filter.object_key || filter.client;
    const auto from = std::string{from_callbacks}.append(has_narrow_index ? "" : from_the_newest);
    const auto rows = connection.query(std::string{select_callbacks}.append(from).append(with_event) +
                                           condition.sql + " ORDER BY c.received_at DESC LIMIT ?",
                                       condition.parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<ListedCallback> callbacks;
    for (const Row& row : *rows) callbacks.push_back(callback_of(row));
    std::ranges::reverse(callbacks);
    return callbacks;
}

Result<std::optional<ListedCallback>> find_callback(Connection& connection, std::chrono::sys_days day,
                                                    const CallbackPlace& place) {
    const std::array<Datum, 5> parameters{day, std::int64_t{std::to_underlying(place.log)},
                                          std::int64_t{place.partition}, place.offset, place.number};
    const auto rows = connection.query(
        std::string{select_callbacks}.append(with_request).append(from_callbacks).append(with_event) +
            " AND c.received_day = ? AND c.log = ? AND c.partition_no = ?"
            " AND c.offset_no = ? AND c.number = ? ORDER BY c.received_at DESC LIMIT 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return callback_of(rows->front());
}

}  // namespace sluice::store
