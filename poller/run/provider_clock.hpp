#pragma once

#include <optional>

#include "common/clock.hpp"

namespace sluice::poller {

/// The time at the provider, as far as its answers say it; ours before the first one. It may lag by what an
/// answer took, and by a second, and is never ahead: what it calls old enough is. Pure; one thread's.
class ProviderClock {
public:
    [[nodiscard]] WallTime at(const Clock& clock) const {
        const SteadyTime now = clock.steady();
        if (!said_) return clock.wall();
        return said_->date + std::chrono::duration_cast<std::chrono::microseconds>(now - said_->received);
    }
    /// An answer's Date header, and when the answer was here. The time is that of the provider at some moment
    /// before.
    void saw(WallTime date, SteadyTime received) { said_ = {date, received}; }

private:
    struct Said {
        WallTime date;
        SteadyTime received;
    };
    std::optional<Said> said_;
};

}  // namespace sluice::poller
