#include "consumer/store/outbox/outbox_list.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "consumer/store/driver/condition.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::array<std::pair<MessageState, std::string_view>, 4> state_names{
    {{MessageState::waiting, "waiting"},
     {MessageState::refused, "refused"},
     {MessageState::sent, "sent"},
     {MessageState::skipped, "skipped"}}};

constexpr std::string_view message_columns =
    "id, destination, message_key, idempotency_key, effect, source, event_id, event_type, state, attempts,"
    " created_at, due_at, finished_at, error_text, CAST(OCTET_LENGTH(body) AS SIGNED)";

std::int64_t number_in(const OwnedDatum& column) {
    return std::get<std::int64_t>(column);
}

MessageRow message_from(const Row& row) {
    MessageRow message{.id = number_in(row.at(0)),
                       .destination = text_column(row.at(1)),
                       .key = {},
                       .idempotency_key = text_column(row.at(3)),
                       .effect = text_column(row.at(4)),
                       .source = text_column(row.at(5)),
                       .event_id = text_column(row.at(6)),
                       .event_type = text_column(row.at(7)),
                       .state = message_state_from(text_column(row.at(8))).value_or(MessageState::waiting),
                       .attempts = number_in(row.at(9)),
                       .created_at = std::get<WallTime>(row.at(10)),
                       .due_at = std::get<WallTime>(row.at(11)),
                       .finished_at = time_column(row.at(12)),
                       .error_text = text_column(row.at(13)),
                       .body_bytes = number_in(row.at(14))};
    if (const auto* key = std::get_if<std::string>(&row.at(2))) message.key = *key;
    return message;
}

bool is_unfinished(const MessageFilter& filter) {
    return filter.state ? *filter.state == MessageState::waiting || *filter.state == MessageState::refused
                        : !filter.of_any_state;
}

/// The optimizers would rather walk the primary key past all that was sent.
std::string_view table_of(const MessageFilter& filter) {
    return is_unfinished(filter) ? "outbox FORCE INDEX (outbox_slot)" : "outbox";
}

Condition condition_of(const MessageFilter& filter, std::int64_t after) {
    Condition condition{"id > ?", {after}};
    if (filter.state) condition.also("state = ?", name_of(*filter.state));
    if (is_unfinished(filter)) condition.sql += " AND slot IS NOT NULL";
    condition.also_text("destination = ?", filter.destination);
    condition.also_text("message_key = ?", filter.key);
    return condition;
}

Result<std::vector<MessageRow>> read_messages(Connection& connection, const std::string& statement,
                                              std::span<const Datum> parameters) {
    const auto rows = connection.query(statement, parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<MessageRow> messages;
    for (const auto& row : *rows) messages.push_back(message_from(row));
    return messages;
}

/// With its body.
Result<std::optional<MessageRow>> find_one(Connection& connection, std::string_view which,
                                           const Datum& value) {
    const auto rows = connection.query(
        "SELECT " + std::string{message_columns} + ", body FROM outbox WHERE " + std::string{which},
        {&value, 1});
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    auto message = message_from(rows->front());
    message.body = text_column(rows->front().back());
    return message;
}

}  // namespace

std::string_view name_of(MessageState state) noexcept {
    return std::ranges::find(state_names, state, &std::pair<MessageState, std::string_view>::first)->second;
}

std::optional<MessageState> message_state_from(std::string_view name) noexcept {
    const auto* found =
        std::ranges::find(state_names, name, &std::pair<MessageState, std::string_view>::second);
    return found == state_names.end() ? std::nullopt : std::optional{found->first};
}

Result<std::vector<MessageRow>> list_messages(Connection& connection, const MessageFilter& filter,
                                              std::int64_t limit, std::int64_t after) {
    auto condition = condition_of(filter, after);
    condition.parameters.emplace_back(limit);
    return read_messages(connection,
                         "SELECT " + std::string{message_columns} + " FROM " + std::string{table_of(filter)} +
                             " WHERE " + condition.sql + " ORDER BY id LIMIT ?",
                         condition.parameters);
}

Result<std::vector<MessageCount>> count_messages(Connection& connection, const MessageFilter& filter) {
    auto condition = condition_of(filter, 0);
    condition.sql += " AND slot IS NOT NULL";
    const auto rows = connection.query(
        "SELECT destination, state, COUNT(*), MIN(created_at) FROM outbox FORCE INDEX (outbox_slot) WHERE " +
            condition.sql + " GROUP BY destination, state ORDER BY destination, state",
        condition.parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<MessageCount> counts;
    for (const auto& row : *rows)
        counts.push_back({.destination = text_column(row.at(0)),
                          .state = message_state_from(text_column(row.at(1))).value_or(MessageState::waiting),
                          .count = number_in(row.at(2)),
                          .oldest = std::get<WallTime>(row.at(3))});
    return counts;
}

Result<std::optional<MessageRow>> find_message(Connection& connection, std::int64_t id) {
    return find_one(connection, "id = ?", id);
}

Result<std::optional<MessageRow>> find_message(Connection& connection,
                                               const crypto::Digest& idempotency_key) {
    // Bodies are read of the one that is found.
    return find_one(connection, "id = (SELECT MAX(id) FROM outbox WHERE idempotency_key = ?)",
                    digest_datum(idempotency_key));
}

Result<std::vector<MessageRow>> messages_of(Connection& connection, const InboxKey& event) {
    const std::array<Datum, 2> parameters{digest_datum(event.dedup_key), event.event_day};
    return read_messages(connection,
                         "SELECT " + std::string{message_columns} +
                             " FROM outbox WHERE dedup_key = ? AND event_day = ? ORDER BY id",
                         parameters);
}

}  // namespace sluice::store
