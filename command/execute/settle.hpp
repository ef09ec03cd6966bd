#pragma once

#include "command/execute/prepared_command.hpp"
#include "command/request/answer.hpp"
#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::command {

/// What became of a COMMIT that nobody answered, by the key's row on another session of the same server:
/// `if_done` where it is there, failed where it is not, since the transaction has ended then. `unavailable`
/// where that cannot be told within `time`.
[[nodiscard]] Answer settle(const PreparedCommand& command, Answer if_done, store::Connection& connection,
                            Milliseconds time);

}  // namespace sluice::command
