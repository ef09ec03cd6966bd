#include "consumer/store/retention/closed_dead_letters.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace sluice::store {
namespace {

constexpr std::int64_t chunk = 1000;

/// Where a walk over closed entries stands: by the index (closed_at, id).
struct Walked {
    WallTime closed_at{};
    std::int64_t id = 0;
};

/// The last entry of the next chunk; nullopt: none is left.
Result<std::optional<Walked>> end_of_chunk(Connection& connection, const Walked& from, WallTime cutoff) {
    const std::array<Datum, 4> parameters{from.closed_at, from.closed_at, from.id, cutoff};
    const auto rows = connection.query(
        "SELECT closed_at, id FROM (SELECT closed_at, id FROM dead_letter WHERE closed_at >= ?"
        " AND (closed_at > ? OR id > ?) AND closed_at < ? ORDER BY closed_at, id LIMIT 1000) AS next"
        " ORDER BY closed_at DESC, id DESC LIMIT 1",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    return Walked{std::get<WallTime>(rows->front().at(0)), std::get<std::int64_t>(rows->front().at(1))};
}

Result<std::int64_t> clear_chunk(Connection& connection, const Walked& from, const Walked& to) {
    const std::array<Datum, 6> parameters{from.closed_at, from.closed_at, from.id,
                                          to.closed_at,   to.closed_at,   to.id};
    return connection.execute(
        "UPDATE dead_letter SET headers = NULL, body = NULL WHERE closed_at >= ? AND (closed_at > ? OR id > "
        "?)"
        " AND closed_at <= ? AND (closed_at < ? OR id <= ?) AND (headers IS NOT NULL OR body IS NOT NULL)",
        parameters);
}

/// `statement` deletes a chunk of what is older than its one parameter.
Result<std::int64_t> delete_by_chunks(Connection& connection, std::string_view statement, WallTime cutoff) {
    const std::array<Datum, 1> parameters{cutoff};
    std::int64_t total = 0;
    for (;;) {
        const auto deleted = connection.execute(statement, parameters);
        if (!deleted) return deleted;
        total += *deleted;
        if (*deleted < chunk) return total;
    }
}

}  // namespace

Result<std::int64_t> clear_closed_dead_letters(Connection& connection, std::optional<WallTime> since,
                                               WallTime cutoff) {
    // DATETIME begins with the year 1000.
    Walked from{since.value_or(std::chrono::sys_days{std::chrono::year{1000} / 1 / 1}), 0};
    std::int64_t total = 0;
    for (;;) {
        const auto to = end_of_chunk(connection, from, cutoff);
        if (!to) return Failure{to.error()};
        if (!*to) return total;
        const auto cleared = clear_chunk(connection, from, **to);
        if (!cleared) return cleared;
        total += *cleared;
        from = **to;
    }
}

Result<std::int64_t> delete_closed_dead_letters(Connection& connection, WallTime cutoff) {
    return delete_by_chunks(
        connection, "DELETE FROM dead_letter WHERE closed_at < ? ORDER BY closed_at LIMIT 1000", cutoff);
}

Result<std::int64_t> delete_actions(Connection& connection, WallTime cutoff) {
    return delete_by_chunks(
        connection,
        "DELETE FROM operator_action WHERE carried_out_at < ?"
        " AND NOT EXISTS (SELECT 1 FROM dead_letter WHERE id = operator_action.dead_letter"
        "  AND closed_at IS NULL)"
        " ORDER BY carried_out_at LIMIT 1000",
        cutoff);
}

Result<std::int64_t> delete_erasures(Connection& connection, WallTime cutoff) {
    return delete_by_chunks(connection, "DELETE FROM erasure WHERE begun_at < ? ORDER BY begun_at LIMIT 1000",
                            cutoff);
}

Result<std::int64_t> delete_selftests(Connection& connection, WallTime cutoff) {
    return delete_by_chunks(connection,
                            "DELETE FROM sluice_selftest WHERE applied_at < ? ORDER BY applied_at LIMIT 1000",
                            cutoff);
}

}  // namespace sluice::store
