#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "common/clock.hpp"

namespace sluice {

/// Waits for `time`; false, at once, when a stop is asked for.
[[nodiscard]] inline bool wait_or_stop(const std::stop_token& stop, Milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any wakeup;
    std::unique_lock lock{mutex};
    wakeup.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

}  // namespace sluice
