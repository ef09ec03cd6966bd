#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include "common/clock.hpp"

namespace sluice::command {

/// Does things at their times, on a thread of its own. What is not due when it is destroyed is not done.
/// Thread-safe.
class Deadlines {
public:
    explicit Deadlines(const Clock& clock);  ///< outlives it

    /// Short, and does not throw.
    void at(SteadyTime time, std::function<void()> what);

private:
    void run(const std::stop_token& stop);

    const Clock& clock_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::multimap<SteadyTime, std::function<void()>> waiting_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::command
