#include "consumer/database/checked_database.hpp"

#include <utility>

#include "consumer/apply/attempt.hpp"
#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds look_again_for_seek{20};

}  // namespace

store::Connection* CheckedDatabase::ready() {
    store::Connection* connection = database_.ready();
    if (connection == nullptr || !knows_server(*connection)) return nullptr;
    // Others have moved, and perhaps back again: what this session is told of events may be lost by now.
    if (partitions_.moves() != moves_) {
        database_.give_up("another session has found another server");
        return nullptr;
    }
    switch (check_.pass(*connection, {database_.session(), is_doubtful_})) {
        case ClaimCheck::Verdict::passed:
            is_doubtful_ = false;
            return connection;
        case ClaimCheck::Verdict::seeking:
            database_.rest(look_again_for_seek);
            return nullptr;
        case ClaimCheck::Verdict::failed:
            database_.failed(connection->last_error().message);
            return nullptr;
    }
    return nullptr;
}

// Before the comparison: a session that is moved between the two must not claim.
bool CheckedDatabase::knows_server(store::Connection& connection) {
    if (session_ == database_.session()) return true;
    is_doubtful_ = is_doubtful_ || database_.follows_a_loss();
    auto server = store::server_name(connection);
    if (!server) {
        database_.failed(connection.last_error().message);
        return false;
    }
    const std::uint64_t moves = partitions_.found_server(*server);
    const bool has_moved = std::exchange(moves_, moves) != moves;
    is_doubtful_ = is_doubtful_ || has_moved;
    claimant_.server = std::move(*server);
    session_ = database_.session();
    return true;
}

bool CheckedDatabase::claim_rest() {
    store::Connection* connection = ready();
    if (connection == nullptr) return false;
    if (const auto claimed = claim_finished(partitions_, *connection, claimant_); !claimed) {
        database_.failed(statement_failed(*connection, claimed.error()).reason);
        return false;
    }
    database_.keep_alive();
    return ready() != nullptr;
}

}  // namespace sluice::consumer
