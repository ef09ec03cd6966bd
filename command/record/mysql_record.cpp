#include "command/record/mysql_record.hpp"

#include <array>
#include <random>
#include <utility>

#include "consumer/store/command/command_key.hpp"
#include "consumer/store/command/open_calls.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/inbox/inbox_columns.hpp"

namespace sluice::command {
namespace {

using store::Bytes;
using store::Datum;

// Column `state`, fixed forever.
constexpr std::int64_t in_progress = 0;
constexpr std::size_t longest_why = 255;
constexpr int sessions_tried = 2;

std::int64_t microseconds(Milliseconds time) {
    return std::chrono::microseconds{time}.count();
}

std::int64_t number_of(CallEnd::State state) {
    return std::to_underlying(state) + 1;
}

/// Rows of other commands than calls have no owner.
Datum owner_datum(const Claim& claim) {
    return store::whole_or_null(claim.owner);
}

Claim claim_in(const store::Row& row) {
    return {.key = store::digest_column(row.at(0)),
            .owner = store::text_column(row.at(1)),
            .fence = std::get<std::int64_t>(row.at(2))};
}

std::optional<CallEnd> end_in(const store::Row& row) {
    const auto state = std::get<std::int64_t>(row.at(4));
    if (state == in_progress) return std::nullopt;
    CallEnd end{.state = static_cast<CallEnd::State>(state - 1), .why = store::text_column(row.at(10))};
    if (const auto* status = std::get_if<std::int64_t>(&row.at(7)))
        end.response = {static_cast<int>(*status), store::text_column(row.at(8)),
                        store::text_column(row.at(9))};
    return end;
}

KnownCall known_in(const store::Row& row) {
    return {.claim = claim_in(row),
            .fingerprint = store::digest_column(row.at(3)),
            .end = end_in(row),
            .begun_at = std::get<WallTime>(row.at(6)),
            .is_due = std::get<std::int64_t>(row.at(5)) != 0};
}

/// On a server that was demoted nothing is absent.
Result<std::optional<KnownCall>> absent(store::Connection& connection) {
    const auto is_writable = store::check_writable(connection);
    if (!is_writable) return Failure{is_writable.error()};
    return std::nullopt;
}

/// In the order of an UPDATE to `end`: what it comes to, and who made the change before.
std::array<Datum, 9> row_of(const Claim& claim, const CallEnd& end, std::chrono::seconds keep) {
    const bool is_done = end.state == CallEnd::State::done;
    const Response& response = end.response;
    return {number_of(end.state),
            is_done ? Datum{std::int64_t{response.status}} : Datum{nullptr},
            is_done ? Datum{Bytes{response.content_type}} : Datum{nullptr},
            is_done ? Datum{Bytes{response.body}} : Datum{nullptr},
            store::bytes_or_null(end.why, longest_why),
            std::int64_t{keep.count()},
            store::digest_datum(claim.key),
            owner_datum(claim),
            std::int64_t{claim.fence}};
}

}  // namespace

MysqlRecord::MysqlRecord(const Around& around, consumer::ServerMoves& moves, std::string command)
    : random_{std::random_device{}()},
      database_{around.mysql, around.log, around.readiness, around.clock, random_, moves},
      command_{std::move(command)} {}

void MysqlRecord::look_again() {
    if (database_.in_trouble() && database_.ready() != nullptr) database_.worked();
}

template <class What>
auto MysqlRecord::on_session(What what)
    -> Recorded<typename decltype(what(std::declval<store::Connection&>()))::value_type> {
    std::string why = "the database is not available";
    // The server ends a session that said nothing for 30 s, which its next statement finds out.
    for (int tries = 0; tries < sessions_tried; ++tries) {
        auto* connection = database_.ready();
        if (connection == nullptr) break;
        auto done = what(*connection);
        if (done) {
            database_.worked();
            return std::move(*done);
        }
        why = connection->last_error().message;
        if (!connection->alive()) continue;
        // Another transaction in the way is no trouble.
        if (store::class_of(done.error()) != store::ErrorClass::lost_lock) database_.failed(why);
        break;
    }
    return std::unexpected{std::move(why)};
}

CallRecord::Recorded<bool> MysqlRecord::change(std::string_view statement,
                                               std::span<const Datum> parameters) {
    return on_session([&](store::Connection& connection) -> Result<bool> {
        return connection.execute(statement, parameters).transform([](std::int64_t rows) {
            return rows == 1;
        });
    });
}

CallRecord::Recorded<bool> MysqlRecord::insert(const NewCall& call) {
    const Request& request = call.request;
    const std::array<Datum, 7> parameters{store::digest_datum(call.claim.key),
                                          store::digest_datum(request.fingerprint),
                                          Bytes{request.key.command},
                                          Bytes{request.key.caller},
                                          Bytes{request.key.key},
                                          Bytes{call.claim.owner},
                                          std::int64_t{microseconds(call.lease)}};
    return on_session([&](store::Connection& connection) {
        return connection.insert(
            "INSERT INTO command_key (key_digest, fingerprint, command, caller, caller_key, state, owner,"
            " fence, keep_until) VALUES (?, ?, ?, ?, ?, 0, ?, 1,"
            " UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND)",
            parameters);
    });
}

CallRecord::Recorded<bool> MysqlRecord::restart(const KnownCall& seen, const NewCall& call) {
    const std::array<Datum, 6> parameters{store::digest_datum(call.request.fingerprint),
                                          Bytes{call.claim.owner},
                                          std::int64_t{microseconds(call.lease)},
                                          store::digest_datum(call.claim.key),
                                          owner_datum(seen.claim),
                                          std::int64_t{seen.claim.fence}};
    return change(
        "UPDATE command_key SET begun_at = UTC_TIMESTAMP(6), fingerprint = ?, owner = ?, fence = fence + 1,"
        " keep_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, status = NULL, content_type = NULL,"
        " response = NULL, why = NULL, state = 0"
        " WHERE key_digest = ? AND owner <=> ? AND fence = ?"
        " AND (state = 2 OR state <> 0 AND keep_until <= UTC_TIMESTAMP(6))",
        parameters);
}

CallRecord::Recorded<bool> MysqlRecord::take_over(const Claim& from, const std::string& owner,
                                                  Milliseconds lease) {
    const std::array<Datum, 5> parameters{Bytes{owner}, std::int64_t{microseconds(lease)},
                                          store::digest_datum(from.key), Bytes{from.owner},
                                          std::int64_t{from.fence}};
    return change(
        "UPDATE command_key SET owner = ?, fence = fence + 1,"
        " keep_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND"
        " WHERE key_digest = ? AND owner = ? AND fence = ? AND state = 0"
        " AND keep_until <= UTC_TIMESTAMP(6)",
        parameters);
}

CallRecord::Recorded<bool> MysqlRecord::advance(const Claim& claim, Milliseconds lease) {
    const std::array<Datum, 4> parameters{std::int64_t{microseconds(lease)}, store::digest_datum(claim.key),
                                          Bytes{claim.owner}, std::int64_t{claim.fence}};
    return change(
        "UPDATE command_key SET fence = fence + 1,"
        " keep_until = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND"
        " WHERE key_digest = ? AND owner = ? AND fence = ? AND state = 0",
        parameters);
}

CallRecord::Recorded<bool> MysqlRecord::finish(const Claim& claim, const CallEnd& end,
                                               std::chrono::seconds keep) {
    return change(
        "UPDATE command_key SET state = ?, status = ?, content_type = ?, response = ?, why = ?,"
        " keep_until = UTC_TIMESTAMP(6) + INTERVAL ? SECOND"
        " WHERE key_digest = ? AND owner = ? AND fence = ? AND state = 0",
        row_of(claim, end, keep));
}

CallRecord::Recorded<bool> MysqlRecord::settle(const KnownCall& seen, const CallEnd& end,
                                               std::chrono::seconds keep) {
    return change(
        "UPDATE command_key SET state = ?, status = ?, content_type = ?, response = ?, why = ?,"
        " keep_until = GREATEST(keep_until, UTC_TIMESTAMP(6) + INTERVAL ? SECOND), fence = fence + 1"
        " WHERE key_digest = ? AND owner <=> ? AND fence = ?"
        " AND (state = 0 OR state = 3 AND keep_until > UTC_TIMESTAMP(6))",
        row_of(seen.claim, end, keep));
}

CallRecord::Recorded<std::optional<KnownCall>> MysqlRecord::find(const crypto::Digest& key) {
    const std::array<Datum, 2> parameters{store::digest_datum(key), Bytes{command_}};
    return on_session([&](store::Connection& connection) -> Result<std::optional<KnownCall>> {
        const auto rows = connection.query(
            "SELECT key_digest, owner, fence, fingerprint, state, keep_until <= UTC_TIMESTAMP(6), begun_at,"
            " status, content_type, response, why FROM command_key WHERE key_digest = ? AND command = ?",
            parameters);
        if (!rows) return Failure{rows.error()};
        if (rows->empty()) return absent(connection);
        return known_in(rows->front());
    });
}

CallRecord::Recorded<std::vector<Claim>> MysqlRecord::due(std::size_t most) {
    return on_session([&](store::Connection& connection) -> Result<std::vector<Claim>> {
        auto calls = store::due_calls(connection, command_, static_cast<std::int64_t>(most));
        if (!calls) return Failure{calls.error()};
        std::vector<Claim> claims;
        for (auto& call : *calls) claims.push_back({call.key, std::move(call.owner), call.fence});
        return claims;
    });
}

CallRecord::Recorded<std::chrono::microseconds> MysqlRecord::oldest_age(std::size_t most) {
    return on_session([&](store::Connection& connection) {
        return store::age_of_oldest_call(connection, command_, static_cast<std::int64_t>(most));
    });
}

CallRecord::Recorded<std::int64_t> MysqlRecord::given_up(std::size_t most) {
    return on_session([&](store::Connection& connection) {
        return store::count_given_up_calls(connection, command_, static_cast<std::int64_t>(most));
    });
}

}  // namespace sluice::command
