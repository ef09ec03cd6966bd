#include "consumer/store/command/command_key.hpp"

#include <algorithm>
#include <array>

#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/row_statements.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

constexpr std::string_view known_columns =
    "SELECT fingerprint, status, content_type, response, begun_at, "
    "keep_until <= UTC_TIMESTAMP(6) AND state <> 0, IF(state = 3, why, NULL) FROM command_key"
    " WHERE key_digest = ?";

constexpr std::array<std::size_t, 5> sizes_of_looks{1, 8, 32, 128, 256};
// As the migration numbers them. The index has the states apart, so each is a statement of its own.
constexpr std::array<std::int64_t, 3> states_of_ended{1, 2, 3};
// Bytes of responses in one statement; max_allowed_packet is 16 MB on MariaDB.
constexpr std::size_t most_bytes = 4U << 20U;

std::string locking(std::string_view select) {
    return std::string{select} + " FOR UPDATE";
}

std::optional<CommandResponse> response_in(const Row& row) {
    const auto* status = std::get_if<std::int64_t>(&row.at(1));
    if (status == nullptr) return std::nullopt;
    return CommandResponse{.status = static_cast<int>(*status),
                           .content_type = text_column(row.at(2)),
                           .body = text_column(row.at(3))};
}

std::optional<std::string> failure_in(const OwnedDatum& column) {
    const auto* why = std::get_if<std::string>(&column);
    return why == nullptr ? std::nullopt : std::optional{*why};
}

KnownCommandKey known(const Row& row) {
    return {.fingerprint = digest_column(row.at(0)),
            .response = response_in(row),
            .failure = failure_in(row.at(6)),
            .begun_at = std::get<WallTime>(row.at(4)),
            .has_expired = std::get<std::int64_t>(row.at(5)) != 0};
}

Result<std::optional<KnownCommandKey>> look(Connection& connection, std::string_view select,
                                            const crypto::Digest& key) {
    const std::array<Datum, 1> parameters{digest_datum(key)};
    const auto rows = connection.query(select, parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return known(rows->front());
}

Result<std::optional<WallTime>> begun_at(Connection& connection, const crypto::Digest& key) {
    const std::array<Datum, 1> parameters{digest_datum(key)};
    const auto rows = connection.query(
        "SELECT begun_at FROM command_key WHERE key_digest = ? AND keep_until > UTC_TIMESTAMP(6)",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return std::get<WallTime>(rows->front().at(0));
}

Result<bool> insert_some(Connection& connection, std::span<const DoneCommandKey> rows) {
    static const RowStatements statements{
        "INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, status, content_type,"
        " response, keep_until) VALUES",
        "(?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(6) + INTERVAL ? SECOND)"};
    std::vector<Datum> parameters;
    for (const auto& [key, response] : rows) {
        parameters.insert(parameters.end(),
                          {digest_datum(key.key), digest_datum(key.fingerprint), Bytes{key.command},
                           Bytes{key.caller}, Bytes{key.caller_key}, std::int64_t{response.status},
                           Bytes{response.content_type}, Bytes{response.body}, key.keep.count()});
    }
    return connection.insert(statements.of(rows.size()), parameters);
}

}  // namespace

crypto::Digest command_digest(std::string_view caller, std::string_view command,
                              std::string_view caller_key) {
    crypto::PartsDigest digest;
    digest.begin();
    digest.part(caller);
    digest.part(command);
    digest.part(caller_key);
    return digest.finish();
}

Result<bool> insert_command_key(Connection& connection, const NewCommandKey& row) {
    const std::array<Datum, 6> parameters{digest_datum(row.key), digest_datum(row.fingerprint),
                                          Bytes{row.command},    Bytes{row.caller},
                                          Bytes{row.caller_key}, std::int64_t{row.keep.count()}};
    return connection.insert(
        "INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, keep_until)"
        " VALUES (?, ?, ?, ?, ?, UTC_TIMESTAMP(6) + INTERVAL ? SECOND)",
        parameters);
}

Result<void> write_response(Connection& connection, const crypto::Digest& key,
                            const CommandResponse& response) {
    const std::array<Datum, 4> parameters{std::int64_t{response.status}, Bytes{response.content_type},
                                          Bytes{response.body}, digest_datum(key)};
    return exactly_one(connection.execute(
        "UPDATE command_key SET status = ?, content_type = ?, response = ? WHERE key_digest = ?",
        parameters));
}

Result<void> write_failure(Connection& connection, const crypto::Digest& key, std::string_view why) {
    const std::array<Datum, 2> parameters{Bytes{why}, digest_datum(key)};
    return exactly_one(
        connection.execute("UPDATE command_key SET state = 3, why = ? WHERE key_digest = ?", parameters));
}

Result<bool> insert_done_keys(Connection& connection, std::span<const DoneCommandKey> rows) {
    std::size_t bytes = 0;
    for (const auto& row : rows) bytes += row.response.body.size();
    if (bytes > most_bytes && rows.size() > 1) {
        const auto half = rows.size() / 2;
        const auto done = insert_done_keys(connection, rows.first(half));
        return done && *done ? insert_done_keys(connection, rows.subspan(half)) : done;
    }
    std::size_t at = 0;
    for (const std::size_t size : cut_rows(rows.size())) {
        const auto inserted = insert_some(connection, rows.subspan(at, size));
        if (!inserted || !*inserted) return inserted;
        at += size;
    }
    return true;
}

Result<void> forget_expired_key(Connection& connection, const crypto::Digest& key) {
    const std::array<Datum, 1> parameters{digest_datum(key)};
    const auto deleted = connection.execute(
        "DELETE FROM command_key WHERE key_digest = ? AND keep_until <= UTC_TIMESTAMP(6) AND state <> 0",
        parameters);
    return deleted ? Result<void>{} : Failure{deleted.error()};
}

Result<std::optional<KnownCommandKey>> settled_command_key(Connection& connection,
                                                           const crypto::Digest& key) {
    static const std::string select = locking(known_columns);
    return look(connection, select, key);
}

Result<std::optional<KnownCommandKey>> find_command_key(Connection& connection, const crypto::Digest& key) {
    return look(connection, known_columns, key);
}

Result<std::vector<std::pair<crypto::Digest, KnownCommandKey>>> find_command_keys(
    Connection& connection, std::span<const crypto::Digest> keys) {
    const auto size = fitting_size(keys.size(), sizes_of_looks);
    std::vector<Datum> parameters;
    for (std::size_t i = 0; i < size; ++i)
        parameters.push_back(digest_datum(keys[std::min(i, keys.size() - 1)]));
    const auto rows = connection.query(
        "SELECT fingerprint, status, content_type, response, begun_at,"
        " keep_until <= UTC_TIMESTAMP(6) AND state <> 0, IF(state = 3, why, NULL), key_digest FROM "
        "command_key WHERE key_digest IN (" +
            parameter_list(size) + ")",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<std::pair<crypto::Digest, KnownCommandKey>> all;
    for (const Row& row : *rows) all.emplace_back(digest_column(row.at(7)), known(row));
    return all;
}

Result<std::optional<WallTime>> open_command_key(Connection& connection, const crypto::Digest& key) {
    // What is not committed can be seen without waiting for it. It is so for the next transaction alone,
    // which has nothing but this SELECT and ends with this function: no other one reads like that.
    const auto set = connection.run("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
    if (!set) return Failure{set.error()};
    const auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    return begun_at(connection, key);
}

Result<void> check_writable(Connection& connection) {
    const auto changed = connection.execute("UPDATE command_key SET fence = fence WHERE FALSE", {});
    return changed ? Result<void>{} : Failure{changed.error()};
}

Result<std::int64_t> delete_expired_keys(Connection& connection, std::int64_t most) {
    std::int64_t total = 0;
    for (const std::int64_t state : states_of_ended) {
        if (total == most) break;
        const std::array<Datum, 2> parameters{state, most - total};
        const auto deleted = connection.execute(
            "DELETE FROM command_key WHERE state = ? AND keep_until <= UTC_TIMESTAMP(6) ORDER BY keep_until"
            " LIMIT ?",
            parameters);
        if (!deleted) return deleted;
        total += *deleted;
    }
    return total;
}

Result<std::chrono::microseconds> oldest_expired_key(Connection& connection) {
    const auto rows = connection.query(
        "SELECT COALESCE(GREATEST(TIMESTAMPDIFF(MICROSECOND, MIN(oldest), UTC_TIMESTAMP(6)), 0), 0) FROM"
        " (SELECT MIN(keep_until) AS oldest FROM command_key WHERE state = 1"
        " UNION ALL SELECT MIN(keep_until) FROM command_key WHERE state = 2"
        " UNION ALL SELECT MIN(keep_until) FROM command_key WHERE state = 3) AS of_each_state",
        {});
    if (!rows) return Failure{rows.error()};
    return std::chrono::microseconds{std::get<std::int64_t>(rows->front().at(0))};
}

}  // namespace sluice::store
