#include "consumer/store/poll/poll_walk.hpp"

#include <array>
#include <utility>

#include "common/error.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::store {
namespace {

std::int64_t microseconds(Milliseconds time) {
    return std::chrono::microseconds{time}.count();
}

Datum id_datum(const std::optional<WalkPlace>& at) {
    return at ? Datum{Bytes{at->id}} : Datum{nullptr};
}

Datum created_datum(const std::optional<WalkPlace>& at) {
    return at ? Datum{at->created} : Datum{nullptr};
}

PollWalk walk_row(const Row& row) {
    PollWalk walk{.at = {},
                  .complete_until = std::get<WallTime>(row.at(2)),
                  .page_token = text_column(row.at(3)),
                  .types_digest = digest_column(row.at(4)),
                  .gap = {}};
    if (const auto created = time_column(row.at(1))) walk.at = WalkPlace{text_column(row.at(0)), *created};
    const auto from = time_column(row.at(5));
    const auto until = time_column(row.at(6));
    if (from && until) walk.gap = WalkGap{*from, *until};
    return walk;
}

/// In the transaction that has just made the lease ours.
Result<LeaseAnswer> read_ours(Connection& connection, std::string_view source, std::string_view holder) {
    const std::array<Datum, 1> parameters{Bytes{source}};
    const auto rows = connection.query(
        "SELECT at_id, at_created, complete_until, page_token, types_digest, gap_from, gap_until, fence"
        " FROM poll_walk WHERE source = ?",
        parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return Failure{errc::unlisted_row_count};
    const auto& row = rows->front();
    return LeaseTaken{{std::get<std::int64_t>(row.at(7)), std::string{holder}}, walk_row(row)};
}

Result<bool> lease_row(Connection& connection, const WalkKey& key, std::string_view holder,
                       Milliseconds time) {
    const std::array<Datum, 6> parameters{Bytes{holder},       microseconds(time),   Bytes{key.source},
                                          Bytes{key.provider}, Bytes{key.principal}, Bytes{holder}};
    return connection
        .execute(
            "UPDATE poll_walk SET fence = fence + 1, holder = ?,"
            " leased_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND"
            " WHERE source = ? AND provider = ? AND principal = ?"
            " AND (leased_until <= UTC_TIMESTAMP(6) OR holder = ?)",
            parameters)
        .transform([](std::int64_t rows) { return rows == 1; });
}

/// False: another process has made it meanwhile.
Result<bool> make_row(Connection& connection, const WalkKey& key, const PollWalk& first,
                      std::string_view holder, Milliseconds time) {
    const std::array<Datum, 10> parameters{Bytes{key.source},
                                           Bytes{key.provider},
                                           Bytes{key.principal},
                                           id_datum(first.at),
                                           created_datum(first.at),
                                           first.complete_until,
                                           whole_or_null(first.page_token),
                                           digest_datum(first.types_digest),
                                           Bytes{holder},
                                           microseconds(time)};
    return connection.insert(
        "INSERT INTO poll_walk (source, provider, principal, at_id, at_created, complete_until, page_token,"
        " types_digest, holder, leased_until, fence)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, 1)",
        parameters);
}

/// Who has it, where the lease could not be had; nullopt: there is no row.
Result<std::optional<LeaseAnswer>> who_has(Connection& connection, const WalkKey& key) {
    const std::array<Datum, 1> parameters{Bytes{key.source}};
    const auto rows =
        connection.query("SELECT provider, principal FROM poll_walk WHERE source = ?", parameters);
    if (!rows) return Failure{rows.error()};
    if (rows->empty()) return std::nullopt;
    OtherAccount other{text_column(rows->front().at(0)), text_column(rows->front().at(1))};
    if (other.provider == key.provider && other.principal == key.principal) return LeaseHeld{};
    return other;
}

// The UPDATE comes first: an INSERT that finds the row there keeps a shared lock on it, and two processes
// that then want to change it would be a deadlock.
Result<LeaseAnswer> take_in_transaction(Connection& connection, const WalkKey& key, const PollWalk& first,
                                        std::string_view holder, Milliseconds time) {
    const auto leased = lease_row(connection, key, holder, time);
    if (!leased) return Failure{leased.error()};
    if (*leased) return read_ours(connection, key.source, holder);
    auto other = who_has(connection, key);
    if (!other) return Failure{other.error()};
    if (*other) return std::move(**other);
    const auto made = make_row(connection, key, first, holder, time);
    if (!made) return Failure{made.error()};
    if (!*made) return LeaseHeld{};
    return read_ours(connection, key.source, holder);
}

/// Of an UPDATE whose WHERE names the source, the fence and the holder.
Result<bool> was_ours(const Result<std::int64_t>& matched) {
    return matched.transform([](std::int64_t rows) { return rows == 1; });
}

}  // namespace

Result<LeaseAnswer> take_lease(Connection& connection, const WalkKey& key, const PollWalk& first,
                               std::string_view holder, Milliseconds time) {
    auto open = OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    auto answer = take_in_transaction(connection, key, first, holder, time);
    if (!answer) return answer;
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    return answer;
}

Result<bool> move_walk(Connection& connection, std::string_view source, const Lease& lease,
                       const PollWalk& to, Milliseconds time) {
    const std::array<Datum, 9> parameters{id_datum(to.at),
                                          created_datum(to.at),
                                          to.complete_until,
                                          whole_or_null(to.page_token),
                                          digest_datum(to.types_digest),
                                          microseconds(time),
                                          Bytes{source},
                                          lease.fence,
                                          Bytes{lease.holder}};
    return was_ours(connection.execute(
        "UPDATE poll_walk SET at_id = ?, at_created = ?, complete_until = ?, page_token = ?,"
        " types_digest = ?, moved_at = UTC_TIMESTAMP(6),"
        " leased_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND"
        " WHERE source = ? AND fence = ? AND holder = ?",
        parameters));
}

Result<bool> renew_lease(Connection& connection, std::string_view source, const Lease& lease,
                         Milliseconds time) {
    const std::array<Datum, 4> parameters{microseconds(time), Bytes{source}, lease.fence,
                                          Bytes{lease.holder}};
    return was_ours(
        connection.execute("UPDATE poll_walk SET leased_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND"
                           " WHERE source = ? AND fence = ? AND holder = ?",
                           parameters));
}

Result<bool> note_gap(Connection& connection, std::string_view source, const Lease& lease,
                      const WalkGap& gap) {
    const std::array<Datum, 7> parameters{gap.from,      gap.from,    gap.until,          gap.until,
                                          Bytes{source}, lease.fence, Bytes{lease.holder}};
    return was_ours(
        connection.execute("UPDATE poll_walk SET gap_from = IF(gap_from < ?, gap_from, ?),"
                           " gap_until = IF(gap_until > ?, gap_until, ?)"
                           " WHERE source = ? AND fence = ? AND holder = ?",
                           parameters));
}

Result<bool> release_lease(Connection& connection, std::string_view source, const Lease& lease) {
    const std::array<Datum, 3> parameters{Bytes{source}, lease.fence, Bytes{lease.holder}};
    return was_ours(
        connection.execute("UPDATE poll_walk SET holder = NULL, leased_until = UTC_TIMESTAMP(6)"
                           " WHERE source = ? AND fence = ? AND holder = ?",
                           parameters));
}

}  // namespace sluice::store
