#pragma once

#include <functional>
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
    /// Takes one, and has `pause` wait for it as long as it takes. False where `pause` says not to go on.
    [[nodiscard]] bool take_in_turn(const std::function<bool(Milliseconds)>& pause);
    /// The provider said that there are too many.
    void limited(std::optional<Milliseconds> retry_after);

private:
    const Clock& clock_;
    Gauge& left_;
    std::mutex mutex_;
    Budget budget_;
};

}  // namespace sluice::poller
