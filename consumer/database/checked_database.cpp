#include "consumer/database/checked_database.hpp"

#include <utility>

#include "consumer/apply/setback.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds look_again_for_seek{20};

}  // namespace

store::Connection* CheckedDatabase::ready() {
    store::Connection* connection = database_.ready();
    if (connection == nullptr) return nullptr;
    if (std::exchange(session_, database_.session()) != database_.session()) {
        writer_.server = database_.server();
        is_doubtful_ = is_doubtful_ || database_.follows_a_loss() || database_.has_moved();
    }
    switch (check_.pass(*connection, {database_.session(), is_doubtful_, database_.has_moved()})) {
        case AppliedOffsetCheck::Verdict::passed:
            is_doubtful_ = false;
            return connection;
        case AppliedOffsetCheck::Verdict::seeking:
            database_.rest(look_again_for_seek);
            return nullptr;
        case AppliedOffsetCheck::Verdict::failed:
            database_.failed(connection->last_error().message);
            return nullptr;
    }
    return nullptr;
}

bool CheckedDatabase::write_rest() {
    store::Connection* connection = ready();
    if (connection == nullptr) return false;
    if (const auto written = write_finished(partitions_, *connection, writer_); !written) {
        database_.failed(statement_failed(*connection, written.error()).reason);
        return false;
    }
    database_.keep_alive();
    return ready() != nullptr;
}

}  // namespace sluice::consumer
