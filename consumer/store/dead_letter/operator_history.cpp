#include <stdexcept>

#include "consumer/store/dead_letter/operator_action.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane_rows.hpp"

// The part of consumer/store/dead_letter/operator_action.hpp that reads.
namespace sluice::store {
namespace {

constexpr std::string_view action_columns =
    "SELECT id, run, action, answer, why, object_key, event_day, dedup_key, dead_letter, operator, reason,"
    " database_user, host, requested_at, carried_out_at, body_sha256, approved_by, approval_reason, "
    "approved_at"
    " FROM operator_action WHERE ";

constexpr std::array<std::size_t, 3> answered_sizes{1, 32, 512};

ActionKind action_kind_column(const OwnedDatum& column) {
    return action_kind_from(text_column(column)).value_or(ActionKind::newer);
}

template <class Read>
auto unless_null(const OwnedDatum& column, Read read) -> std::optional<decltype(read(column))> {
    if (std::holds_alternative<std::nullptr_t>(column)) return std::nullopt;
    return read(column);
}

std::optional<ActionApproval> approval_columns(const Row& columns) {
    return unless_null(columns.at(16), [&columns](const OwnedDatum& by) {
        return ActionApproval{.operator_name = text_column(by),
                              .reason = text_column(columns.at(17)),
                              .approved_at = std::get<WallTime>(columns.at(18))};
    });
}

ActionRow action_row(const Row& columns) {
    return {
        .id = action_id_column(columns.at(0)),
        .run = unless_null(columns.at(1), action_id_column),
        .kind = action_kind_column(columns.at(2)),
        .answer = text_column(columns.at(3)) == "refused" ? ActionAnswer::refused : ActionAnswer::carried_out,
        .why = text_column(columns.at(4)),
        .object_key = text_column(columns.at(5)),
        .inbox = inbox_key_columns(columns.at(6), columns.at(7)),
        .dead_letter = unless_null(columns.at(8),
                                   [](const OwnedDatum& column) { return std::get<std::int64_t>(column); }),
        .operator_name = text_column(columns.at(9)),
        .reason = text_column(columns.at(10)),
        .database_user = text_column(columns.at(11)),
        .host = text_column(columns.at(12)),
        .requested_at = std::get<WallTime>(columns.at(13)),
        .carried_out_at = std::get<WallTime>(columns.at(14)),
        .body_sha256 = unless_null(columns.at(15), digest_column),
        .approval = approval_columns(columns)};
}

Result<std::vector<ActionRow>> actions_where(Connection& connection, std::string_view condition,
                                             std::span<const Datum> parameters) {
    const auto rows = connection.query(
        std::string{action_columns} + std::string{condition} + " ORDER BY carried_out_at, id", parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<ActionRow> actions;
    for (const auto& columns : *rows) actions.push_back(action_row(columns));
    return actions;
}

Result<std::int64_t> count_of_run(Connection& connection, const char* statement, const ActionId& run) {
    const std::array<Datum, 1> parameters{id_bytes(run)};
    const auto rows = connection.query(statement, parameters);
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->at(0).at(0));
}

Result<std::int64_t> count_dead_again(Connection& connection, const ActionId& run) {
    return count_of_run(
        connection,
        "SELECT STRAIGHT_JOIN COUNT(*) FROM operator_action AS done JOIN dead_letter AS was ON was.id = "
        "done.dead_letter"
        " JOIN dead_letter AS again ON again.lane_key = was.lane_key AND again.closed_at IS NULL"
        " AND again.position = was.position AND again.id > was.id WHERE done.run = ?",
        run);
}

/// Messages that the run has had sent again, by what became of them.
Result<std::int64_t> count_messages(Connection& connection, std::string_view standing, const ActionId& run) {
    const std::string statement =
        "SELECT STRAIGHT_JOIN COUNT(*) FROM operator_action AS done JOIN dead_letter AS was ON was.id = "
        "done.dead_letter JOIN outbox ON outbox.id = was.offset_no"
        " WHERE done.run = ? AND done.action = 'retry' AND done.answer = 'carried_out' AND was.kind = "
        "'message' AND " +
        std::string{standing};
    return count_of_run(connection, statement.c_str(), run);
}

/// Events that the run has rerun, by where they stand in their lanes. A lane's key is lane_key_of the
/// object's.
Result<std::int64_t> count_reruns(Connection& connection, std::string_view standing, const ActionId& run) {
    const std::string statement =
        "SELECT STRAIGHT_JOIN COUNT(*) FROM operator_action AS done JOIN lane_event AS event"
        " ON event.lane_key = UNHEX(SHA2(done.object_key, 256)) AND event.event_day = done.event_day"
        " AND event.dedup_key = done.dedup_key"
        " WHERE done.run = ? AND done.action = 'rerun' AND done.answer = 'carried_out' AND " +
        std::string{standing};
    return count_of_run(connection, statement.c_str(), run);
}

Result<std::int64_t> both(Result<std::int64_t> one, Result<std::int64_t> other) {
    if (!one || !other) return one ? other : one;
    return *one + *other;
}

}  // namespace

Bytes id_bytes(const ActionId& id) noexcept {
    return Bytes{{reinterpret_cast<const char*>(id.data()), id.size()}};
}

ActionId action_id_column(const OwnedDatum& column) {
    const auto bytes = text_column(column);
    ActionId id{};
    if (bytes.size() != id.size()) throw std::runtime_error("operator_action: an id is not 16 bytes");
    std::ranges::copy(bytes, id.begin());
    return id;
}

Result<std::vector<ActionRow>> actions_of_event(Connection& connection, const InboxKey& event) {
    const std::array<Datum, 2> parameters{event.event_day, digest_datum(event.dedup_key)};
    return actions_where(connection, "event_day = ? AND dedup_key = ?", parameters);
}

Result<std::vector<ActionRow>> actions_of_dead_letter(Connection& connection, std::int64_t dead_letter) {
    const std::array<Datum, 1> parameters{dead_letter};
    return actions_where(connection, "dead_letter = ?", parameters);
}

Result<RunProgress> progress_of_run(Connection& connection, const ActionId& run) {
    const std::array<Datum, 1> parameters{id_bytes(run)};
    const auto rows = connection.query(
        "SELECT COUNT(*), COUNT(CASE WHEN answer = 'refused' THEN 1 END) FROM operator_action WHERE run = ?",
        parameters);
    if (!rows) return Failure{rows.error()};
    const auto again =
        both(count_messages(connection, "outbox.state = 'refused'", run),
             both(count_dead_again(connection, run), count_reruns(connection, "event.status = 'dead'", run)));
    if (!again) return Failure{again.error()};
    const auto refused = std::get<std::int64_t>(rows->at(0).at(1));
    return RunProgress{std::get<std::int64_t>(rows->at(0).at(0)) - refused, refused, *again};
}

Result<std::int64_t> count_untried(Connection& connection, const ActionId& run) {
    const auto retried = count_of_run(
        connection,
        "SELECT STRAIGHT_JOIN COUNT(*) FROM operator_action AS done JOIN dead_letter AS was ON was.id = "
        "done.dead_letter"
        " JOIN lane_event AS event ON event.lane_key = was.lane_key AND event.position = was.position"
        " WHERE done.run = ? AND done.answer = 'carried_out' AND event.status = 'retry' AND event.attempts = "
        "0",
        run);
    const auto messages =
        count_messages(connection, "outbox.state = 'waiting' AND outbox.tried_since IS NULL", run);
    return both(
        messages,
        both(retried,
             count_reruns(connection, "event.status IN ('retry', 'parked') AND event.attempts = 0", run)));
}

Result<Moving> moving_behind(Connection& connection, const ActionId& run) {
    const std::array<Datum, 1> parameters{id_bytes(run)};
    const auto rows = connection.query(
        "SELECT COUNT(*), CAST(COALESCE(SUM(lane.unfinished), 0) AS SIGNED) FROM lane JOIN"
        " (SELECT DISTINCT was.lane_key FROM operator_action AS done JOIN dead_letter AS was"
        " ON was.id = done.dead_letter WHERE done.run = ? AND done.answer = 'carried_out') AS touched"
        " ON touched.lane_key = lane.lane_key WHERE lane.unfinished > 0 AND (SELECT event.status = 'parked' "
        "OR"
        " (event.status = 'retry' AND event.attempts = 0) FROM lane_event AS event"
        " WHERE event.lane_key = lane.lane_key AND event.status <> 'deferred' AND event.lets_pass = 0"
        " ORDER BY event.position LIMIT 1)",
        parameters);
    if (!rows) return Failure{rows.error()};
    return Moving{std::get<std::int64_t>(rows->at(0).at(0)), std::get<std::int64_t>(rows->at(0).at(1))};
}

Result<std::vector<Refusals>> refusals_of_run(Connection& connection, const ActionId& run) {
    const std::array<Datum, 1> parameters{id_bytes(run)};
    const auto rows = connection.query(
        "SELECT why, COUNT(*) FROM operator_action WHERE run = ? AND answer = 'refused'"
        " GROUP BY why ORDER BY 2 DESC, 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<Refusals> refusals;
    for (const auto& columns : *rows)
        refusals.push_back({text_column(columns.at(0)), std::get<std::int64_t>(columns.at(1))});
    return refusals;
}

Result<std::vector<ActionId>> answered(Connection& connection, std::span<const ActionId> ids) {
    std::vector<ActionId> found;
    if (ids.empty()) return found;
    std::vector<Datum> parameters;
    for (const auto& id : ids) parameters.emplace_back(id_bytes(id));
    parameters.resize(fitting_size(ids.size(), answered_sizes), parameters.back());
    const auto rows = connection.query(
        "SELECT id FROM operator_action WHERE id IN (" + parameter_list(parameters.size()) + ")", parameters);
    if (!rows) return Failure{rows.error()};
    for (const auto& columns : *rows) found.push_back(action_id_column(columns.at(0)));
    return found;
}

}  // namespace sluice::store
