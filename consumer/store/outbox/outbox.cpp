#include "consumer/store/outbox/outbox.hpp"

#include <array>
#include <map>
#include <utility>

#include "common/error.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::size_t longest_why = 1024;
constexpr std::array<std::size_t, 4> list_sizes{1, 8, 64, outbox_batch};

std::int64_t number_column(const OwnedDatum& column) {
    return std::get<std::int64_t>(column);
}

/// What the column holds is the caller's from now on; empty for NULL.
std::string taken(OwnedDatum& column) {
    auto* text = std::get_if<std::string>(&column);
    return text != nullptr ? std::move(*text) : std::string{};
}

OutboxMessage message_of(Row& row) {
    OutboxMessage message{.id = number_column(row.at(0)),
                          .key = {},
                          .idempotency_key = taken(row.at(2)),
                          .size = static_cast<std::size_t>(number_column(row.at(3))),
                          .has_body = std::holds_alternative<std::string>(row.at(16)),
                          .body = taken(row.at(16)),
                          .effect = taken(row.at(4)),
                          .source = taken(row.at(5)),
                          .event_id = taken(row.at(6)),
                          .event_type = taken(row.at(7)),
                          .event = {std::chrono::floor<std::chrono::days>(std::get<WallTime>(row.at(8))),
                                    digest_column(row.at(9))},
                          .traceparent = taken(row.at(10)),
                          .attempts = number_column(row.at(11)),
                          .tried_for = std::chrono::seconds{number_column(row.at(12))},
                          .age = std::chrono::seconds{number_column(row.at(13))},
                          .is_due = number_column(row.at(14)) != 0,
                          .is_refused = number_column(row.at(15)) != 0};
    if (std::holds_alternative<std::string>(row.at(1))) message.key = taken(row.at(1));
    return message;
}

// One look into the index for each, however many messages wait.
std::string each_slot() {
    std::string statement;
    for (int number = 0; number < outbox_slots; ++number) {
        const auto slot = std::to_string(number);
        statement += (number > 0 ? " UNION ALL " : "");
        statement += "SELECT " + slot + " FROM DUAL WHERE EXISTS (SELECT 1 FROM outbox WHERE slot = " + slot +
                     " AND destination = ?)";
    }
    return statement;
}

}  // namespace

Result<void> insert_message(Connection& connection, const OwnMessage& message) {
    const crypto::Digest no_event{};
    const std::array<Datum, 8> row{Bytes{message.destination.substr(0, 64)},
                                   Bytes{message.key.substr(0, 512)},
                                   digest_datum(message.idempotency_key),
                                   Bytes{message.body},
                                   Bytes{message.effect},
                                   Bytes{message.source.substr(0, 64)},
                                   message.day,
                                   digest_datum(no_event)};
    const auto done = connection.execute(
        "INSERT INTO outbox (destination, message_key, idempotency_key, body, effect, source, event_id, "
        "event_type, event_day, dedup_key) VALUES (?, ?, ?, ?, ?, ?, '', '', ?, ?)",
        row);
    if (!done) return Failure{done.error()};
    return {};
}

Result<std::vector<int>> busy_slots(Connection& connection, std::string_view destination) {
    static const std::string statement = each_slot();
    const std::vector<Datum> parameters(outbox_slots, Bytes{destination});
    const auto rows = connection.query(statement, parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<int> slots;
    for (const auto& row : *rows) slots.push_back(static_cast<int>(number_column(row.at(0))));
    return slots;
}

Result<std::vector<OutboxMessage>> unfinished_messages(Connection& connection, const OutboxSlot& slot,
                                                       std::int64_t after) {
    static const std::string statement =
        "SELECT id, message_key, idempotency_key, OCTET_LENGTH(body), effect, source, event_id, event_type, "
        "event_day,"
        " dedup_key, traceparent, attempts,"
        " COALESCE(TIMESTAMPDIFF(SECOND, tried_since, UTC_TIMESTAMP(6)), 0),"
        " TIMESTAMPDIFF(SECOND, created_at, UTC_TIMESTAMP(6)),"
        " state = 'waiting' AND due_at <= UTC_TIMESTAMP(6), state = 'refused',"
        " IF(OCTET_LENGTH(body) <= " +
        std::to_string(small_body) +
        ", body, NULL) FROM outbox FORCE INDEX (outbox_slot)"
        " WHERE destination = ? AND slot = ? AND id > ? ORDER BY id LIMIT " +
        std::to_string(outbox_batch);
    const std::array<Datum, 3> parameters{Bytes{slot.destination}, std::int64_t{slot.number}, after};
    auto rows = connection.query(statement, parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<OutboxMessage> messages;
    messages.reserve(rows->size());
    for (auto& row : *rows) messages.push_back(message_of(row));
    return messages;
}

Result<void> read_bodies(Connection& connection, std::span<OutboxMessage* const> messages) {
    std::map<std::int64_t, OutboxMessage*> wanted;
    std::vector<Datum> parameters;
    for (auto* message : messages) {
        if (message->has_body) continue;
        wanted.emplace(message->id, message);
        parameters.emplace_back(message->id);
    }
    if (wanted.empty()) return {};
    parameters.resize(fitting_size(wanted.size(), list_sizes), parameters.back());
    auto rows = connection.query(
        "SELECT id, body FROM outbox WHERE id IN (" + parameter_list(parameters.size()) + ")", parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->size() != wanted.size()) return Failure{errc::unlisted_row_count};
    for (auto& row : *rows) {
        auto& message = *wanted.at(number_column(row.at(0)));
        message.body = taken(row.at(1));
        message.has_body = true;
    }
    return {};
}

Result<void> mark_sent(Connection& connection, std::span<const std::int64_t> ids) {
    if (ids.empty()) return {};
    std::vector<Datum> parameters;
    for (const auto id : ids) parameters.emplace_back(id);
    parameters.resize(fitting_size(ids.size(), list_sizes), parameters.back());
    return connection
        .execute(
            "UPDATE outbox SET state = 'sent', slot = NULL, attempts = attempts + 1, error_text = NULL,"
            " finished_at = UTC_TIMESTAMP(6) WHERE id IN (" +
                parameter_list(parameters.size()) + ") AND state = 'waiting'",
            parameters)
        .transform([](std::int64_t) {});
}

Result<void> leave_for(Connection& connection, std::int64_t id, Milliseconds wait, std::string_view why) {
    const std::int64_t microseconds = std::chrono::microseconds{wait}.count();
    const std::array<Datum, 3> parameters{microseconds, bytes_or_null(why, longest_why), id};
    return exactly_one(connection.execute(
        "UPDATE outbox SET due_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, error_text = ?"
        " WHERE id = ? AND state = 'waiting'",
        parameters));
}

Result<void> put_off(Connection& connection, std::int64_t id, Milliseconds wait, std::string_view why) {
    const std::int64_t microseconds = std::chrono::microseconds{wait}.count();
    const std::array<Datum, 3> parameters{microseconds, bytes_or_null(why, longest_why), id};
    return exactly_one(connection.execute(
        "UPDATE outbox SET attempts = attempts + 1, tried_since = COALESCE(tried_since, UTC_TIMESTAMP(6)),"
        " due_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND,"
        " error_text = ? WHERE id = ? AND state = 'waiting'",
        parameters));
}

Result<void> refuse(Connection& connection, std::int64_t id, std::string_view why) {
    const std::array<Datum, 2> parameters{bytes_or_null(why, longest_why), id};
    return exactly_one(
        connection.execute("UPDATE outbox SET attempts = attempts + 1, state = 'refused', error_text = ?"
                           " WHERE id = ? AND state = 'waiting'",
                           parameters));
}

Result<std::int64_t> send_again(Connection& connection, std::int64_t id) {
    const std::array<Datum, 1> parameters{id};
    // It has its horizon anew.
    return connection.execute(
        "UPDATE outbox SET state = 'waiting', due_at = UTC_TIMESTAMP(6), tried_since = NULL"
        " WHERE id = ? AND state = 'refused'",
        parameters);
}

Result<std::int64_t> skip_message(Connection& connection, std::int64_t id) {
    const std::array<Datum, 1> parameters{id};
    return connection.execute(
        "UPDATE outbox SET state = 'skipped', slot = NULL, finished_at = UTC_TIMESTAMP(6)"
        " WHERE id = ? AND state = 'refused'",
        parameters);
}

Result<std::int64_t> delete_finished(Connection& connection, WallTime cutoff) {
    const std::array<Datum, 1> parameters{cutoff};
    return connection.execute(
        "DELETE FROM outbox WHERE finished_at < ? ORDER BY finished_at LIMIT " + std::to_string(outbox_batch),
        parameters);
}

Result<std::vector<std::string>> unfinished_destinations(Connection& connection) {
    const auto rows =
        connection.query("SELECT destination FROM outbox WHERE slot IS NOT NULL GROUP BY destination", {});
    if (!rows) return Failure{rows.error()};
    std::vector<std::string> names;
    for (const auto& row : *rows) names.push_back(text_column(row.at(0)));
    return names;
}

Result<std::chrono::seconds> untouched_for(Connection& connection, std::string_view destination) {
    const std::array<Datum, 1> parameters{Bytes{destination}};
    const auto rows = connection.query(
        "SELECT COALESCE(TIMESTAMPDIFF(SECOND, MAX(due_at), UTC_TIMESTAMP(6)), 0) FROM outbox"
        " WHERE slot IS NOT NULL AND destination = ?",
        parameters);
    if (!rows) return Failure{rows.error()};
    return std::chrono::seconds{number_column(rows->front().at(0))};
}

}  // namespace sluice::store
