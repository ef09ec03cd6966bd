#pragma once

#include <mutex>
#include <optional>

#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"
#include "poller/pace/budget.hpp"

namespace sluice::poller {

/// The budget of one API key, over all walks of this process that use it. Thread-safe.
class Account {
public:
    Account(double per_second, const Clock& clock, Gauge& left);  ///< both outlive it

    /// Takes one request from the budget, where one is left; else how long to wait before the next question.
    [[nodiscard]] Milliseconds take();
    /// The provider said that there are too many.
    void limited(std::optional<Milliseconds> retry_after);

private:
    const Clock& clock_;
    Gauge& left_;
    std::mutex mutex_;
    Budget budget_;
};

}  // namespace sluice::poller
