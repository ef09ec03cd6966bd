#include "consumer/store/erasure/erasure.hpp"

#include <array>
#include <vector>

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/store/callback/callback.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::store {
namespace {

constexpr std::array<std::size_t, 4> list_sizes{1, 8, 64, erasure_chunk};

/// "(?, …)" behind parameters that stand before the list; the last value fills it up.
std::string append_list(std::vector<Datum>& parameters, std::vector<Datum> values) {
    values.resize(fitting_size(values.size(), list_sizes), values.back());
    parameters.insert(parameters.end(), values.begin(), values.end());
    return "(" + parameter_list(values.size()) + ")";
}

std::vector<Datum> digests(std::span<const crypto::Digest> keys) {
    std::vector<Datum> values;
    for (const auto& key : keys) values.push_back(digest_datum(key));
    return values;
}

Result<void> add_to(Connection& connection, std::int64_t id, const ErasedRows& rows) {
    const std::array<Datum, 6> parameters{rows.payloads, rows.inbox_rows, rows.dead_letters,
                                          rows.actions,  rows.callbacks,  id};
    return exactly_one(connection.execute(
        "UPDATE erasure SET payloads = payloads + ?, inbox_rows = inbox_rows + ?,"
        " dead_letters = dead_letters + ?, actions = actions + ?, callbacks = callbacks + ? WHERE id = ?",
        parameters));
}

/// No rerun of these can begin before the transaction ends.
Result<std::vector<crypto::Digest>> lock_finished(Connection& connection, std::chrono::sys_days day,
                                                  std::span<const crypto::Digest> dedup_keys) {
    std::vector<Datum> parameters{day};
    const std::string list = append_list(parameters, digests(dedup_keys));
    const auto rows = connection.query(
        "SELECT dedup_key FROM inbox WHERE event_day = ? AND dedup_key IN " + list +
            " AND status IN ('done', 'ignored', 'skipped') AND NOT EXISTS (SELECT 1 FROM outbox"
            " WHERE outbox.dedup_key = inbox.dedup_key AND outbox.slot IS NOT NULL) ORDER BY event_day, "
            "dedup_key FOR UPDATE",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<crypto::Digest> locked;
    for (const auto& columns : *rows) locked.push_back(digest_column(columns.at(0)));
    return locked;
}

Result<ErasedRows> take_from_events(Connection& connection, std::chrono::sys_days day,
                                    std::span<const crypto::Digest> dedup_keys) {
    std::vector<Datum> parameters{day};
    const std::string list = append_list(parameters, digests(dedup_keys));
    const auto said = connection.execute(
        "UPDATE inbox SET error_text = NULL, reference = NULL, transaction = NULL WHERE event_day = ?"
        " AND dedup_key IN " +
            list + " AND (error_text IS NOT NULL OR reference IS NOT NULL OR transaction IS NOT NULL)",
        parameters);
    if (!said) return Failure{said.error()};
    const auto payloads = connection.execute(
        "DELETE FROM event_payload WHERE event_day = ? AND dedup_key IN " + list, parameters);
    if (!payloads) return Failure{payloads.error()};
    const std::span<const Datum> keys{parameters.begin() + 1, parameters.end()};
    const auto messages =
        connection.execute("DELETE FROM outbox WHERE slot IS NULL AND dedup_key IN " + list, keys);
    if (!messages) return Failure{messages.error()};
    return ErasedRows{.payloads = *payloads, .inbox_rows = *said};
}

/// `took` of one transaction, with what it counts for.
Result<void> commit_with(OpenTransaction& open, Connection& connection, std::int64_t id,
                         const ErasedRows& took) {
    if (auto added = add_to(connection, id, took); !added) return added;
    if (FP("ctl.before_erasure_commit")) return Failure{errc::injected};
    return open.commit();
}

}  // namespace

Result<std::int64_t> begin_erasure(Connection& connection, const ErasureOrder& order) {
    const auto lane = lane_key_of(order.object_key);
    const std::array<Datum, 5> parameters{digest_datum(lane), Bytes{order.operator_name.substr(0, 128)},
                                          Bytes{order.reason.substr(0, 1024)},
                                          Bytes{order.host.substr(0, 255)}, order.begun_at};
    const auto done = connection.execute(
        "INSERT INTO erasure (lane_key, operator, reason, host, begun_at, database_user)"
        " VALUES (?, ?, ?, ?, ?, CAST(LEFT(CURRENT_USER(), 128) AS BINARY))",
        parameters);
    if (!done) return Failure{done.error()};
    const auto id = connection.query("SELECT CAST(LAST_INSERT_ID() AS SIGNED)", {});
    if (!id) return Failure{id.error()};
    return std::get<std::int64_t>(id->at(0).at(0));
}

Result<void> finish_erasure(Connection& connection, std::int64_t id, WallTime now) {
    const std::array<Datum, 2> parameters{now, id};
    return exactly_one(connection.execute("UPDATE erasure SET finished_at = ? WHERE id = ?", parameters));
}

Result<ErasedRows> rows_of_erasure(Connection& connection, std::int64_t id) {
    const std::array<Datum, 1> parameters{id};
    const auto rows = connection.query(
        "SELECT payloads, inbox_rows, dead_letters, actions, callbacks FROM erasure WHERE id = ?",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return Failure{errc::unlisted_row_count};
    const auto number = [&](std::size_t column) { return std::get<std::int64_t>(rows->front().at(column)); };
    return ErasedRows{number(0), number(1), number(2), number(3), number(4)};
}

Result<void> erase_events(Connection& connection, std::int64_t id, std::chrono::sys_days day,
                          std::span<const crypto::Digest> dedup_keys) {
    auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto locked = lock_finished(connection, day, dedup_keys);
    if (!locked) return Failure{locked.error()};
    if (locked->empty()) return {};
    const auto took = take_from_events(connection, day, *locked);
    if (!took) return Failure{took.error()};
    return commit_with(*open, connection, id, *took);
}

Result<void> erase_dead_letters(Connection& connection, std::int64_t id,
                                std::span<const std::int64_t> dead_letters) {
    auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    std::vector<Datum> parameters{Bytes{erased_word}};
    const std::string list = append_list(parameters, {dead_letters.begin(), dead_letters.end()});
    const auto took = connection.execute(
        "UPDATE dead_letter SET headers = NULL, body = NULL, error_text = ?,"
        " reference = NULL, transaction = NULL WHERE id IN " +
            list + " AND closed_at IS NOT NULL",
        parameters);
    if (!took) return Failure{took.error()};
    return commit_with(*open, connection, id, {.dead_letters = *took});
}

Result<void> erase_actions(Connection& connection, std::int64_t id, std::span<const ActionId> actions) {
    auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    std::vector<Datum> ids;
    for (const auto& action : actions) ids.emplace_back(id_bytes(action));
    std::vector<Datum> parameters{Bytes{erased_word}, Bytes{erased_word}};
    const std::string list = append_list(parameters, std::move(ids));
    const auto took = connection.execute(
        "UPDATE operator_action SET reason = ?, approval_reason = IF(approval_reason IS NULL, NULL, ?)"
        " WHERE id IN " +
            list,
        parameters);
    if (!took) return Failure{took.error()};
    return commit_with(*open, connection, id, {.actions = *took});
}

Result<bool> erase_callbacks(Connection& connection, std::int64_t id, std::string_view object_key) {
    auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto took = erase_kept_requests(connection, object_key, erasure_chunk);
    if (!took) return Failure{took.error()};
    if (*took == 0) return false;
    if (const auto done = commit_with(*open, connection, id, {.callbacks = *took}); !done)
        return Failure{done.error()};
    return true;
}

Result<std::optional<Erasure>> erased_since(Connection& connection, std::string_view object_key,
                                            WallTime since) {
    const auto lane = lane_key_of(object_key);
    const std::array<Datum, 2> parameters{digest_datum(lane), since};
    const auto rows = connection.query(
        "SELECT id, operator, COALESCE(finished_at, begun_at), finished_at IS NOT NULL FROM erasure"
        " WHERE lane_key = ? AND COALESCE(finished_at, begun_at) >= ? ORDER BY id DESC LIMIT 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    const auto& columns = rows->front();
    return Erasure{.id = std::get<std::int64_t>(columns.at(0)),
                   .operator_name = text_column(columns.at(1)),
                   .at = std::get<WallTime>(columns.at(2)),
                   .is_finished = std::get<std::int64_t>(columns.at(3)) != 0};
}

}  // namespace sluice::store
