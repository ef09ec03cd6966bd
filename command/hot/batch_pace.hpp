#pragma once

#include <algorithm>
#include <chrono>

#include "common/clock.hpp"

namespace sluice::command {

/// When the next batch is booked: a full one at once, a smaller one 100 ms after the last. Its callers were
/// answered, and a COMMIT for a few more would only keep the disk from accounts that are not hot. Pure.
class BatchPace {
public:
    /// Of a batch that is not empty.
    [[nodiscard]] bool is_time(SteadyTime now, bool is_full) {
        if (!is_full && now < next_small_) return false;
        next_small_ = now + Milliseconds{100};
        return true;
    }

    /// Until a smaller one may go.
    [[nodiscard]] Milliseconds left(SteadyTime now) const {
        return std::max(std::chrono::ceil<Milliseconds>(next_small_ - now), Milliseconds{0});
    }

private:
    SteadyTime next_small_{};
};

}  // namespace sluice::command
