#pragma once

#include "common/clock.hpp"

namespace sluice::consumer {

/// How long the effects of a worker wait for a lock: a second, the least that InnoDB knows. Once one has
/// waited in vain a tenth of that, for ten seconds: whoever holds that row holds it against others too, and
/// each of them would cost all the rest of the worker a second more. Who loses such a short wait does so
/// uncounted and waits in its lane.
///
/// A short wait is lost by effects that are merely slow, too, and nobody can tell the two apart. So it never
/// prolongs the ten seconds: such effects would else keep themselves out of the main role for as long as
/// their events come. A lock that lasts costs a worker one second in eleven. Pure; one worker's.
class LockPatience {
public:
    /// For statements that begin now.
    [[nodiscard]] Milliseconds wait(SteadyTime now) noexcept {
        return given_ = now < short_until_ ? short_wait : full_wait;
    }
    /// One of those that `wait` was said for last.
    void waited_in_vain(SteadyTime now) noexcept {
        if (given_ == full_wait) short_until_ = now + short_for;
    }

    static constexpr Milliseconds full_wait{1000};
    static constexpr Milliseconds short_wait{100};
    static constexpr std::chrono::seconds short_for{10};

private:
    SteadyTime short_until_{};
    Milliseconds given_ = full_wait;
};

}  // namespace sluice::consumer
