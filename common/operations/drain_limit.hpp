#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"

namespace sluice {

/// Ends the process with status 1 when it still lives `within` after construction: a server that hangs must
/// not carry a drain past the supervisor's grace period. What was not committed is read again. Destroyed
/// in time, it does nothing.
class DrainLimit {
public:
    /// `limit` is what the log calls it.
    DrainLimit(Milliseconds within, Log& log, std::string limit);

private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice
