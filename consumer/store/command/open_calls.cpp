#include "consumer/store/command/open_calls.hpp"

#include <array>

#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {

Result<std::vector<DueCall>> due_calls(Connection& connection, std::string_view command, std::int64_t most) {
    const std::array<Datum, 2> parameters{Bytes{command}, most};
    const auto rows = connection.query(
        "SELECT key_digest, owner, fence FROM command_key WHERE state = 0"
        " AND keep_until <= UTC_TIMESTAMP(6) AND command = ? ORDER BY keep_until LIMIT ?",
        parameters);
    if (!rows) return Failure{rows.error()};
    std::vector<DueCall> calls;
    for (const Row& row : *rows)
        calls.push_back(
            {digest_column(row.at(0)), text_column(row.at(1)), std::get<std::int64_t>(row.at(2))});
    return calls;
}

Result<std::chrono::microseconds> age_of_oldest_call(Connection& connection, std::string_view command,
                                                     std::int64_t most) {
    const std::array<Datum, 2> parameters{Bytes{command}, most};
    const auto rows = connection.query(
        "SELECT COALESCE(GREATEST(TIMESTAMPDIFF(MICROSECOND, MIN(begun_at), UTC_TIMESTAMP(6)), 0), 0)"
        " FROM (SELECT begun_at FROM command_key WHERE state = 0 AND command = ? ORDER BY keep_until LIMIT ?)"
        " AS in_progress",
        parameters);
    if (!rows) return Failure{rows.error()};
    return std::chrono::microseconds{std::get<std::int64_t>(rows->front().at(0))};
}

Result<std::int64_t> count_given_up_calls(Connection& connection, std::string_view command,
                                          std::int64_t most) {
    const std::array<Datum, 2> parameters{Bytes{command}, most};
    const auto rows = connection.query(
        "SELECT COUNT(*) FROM (SELECT key_digest FROM command_key WHERE state = 3"
        " AND keep_until > UTC_TIMESTAMP(6) AND command = ? ORDER BY keep_until LIMIT ?) AS given_up",
        parameters);
    if (!rows) return Failure{rows.error()};
    return std::get<std::int64_t>(rows->front().at(0));
}

}  // namespace sluice::store
