#pragma once

#include "common/clock.hpp"

namespace sluice::consumer {

/// How long the effects of a worker wait for a lock: a second, the least that InnoDB knows. Once one has
/// waited in vain a tenth of that, for ten seconds: whoever holds that row holds it against others too, and
/// each of them would cost all the rest of the worker a second more. Who loses such a short wait does so
/// uncounted and waits in its lane. Pure; one worker's.
class LockPatience {
public:
    [[nodiscard]] Milliseconds wait(SteadyTime now) const noexcept {
        return now < short_until_ ? short_wait : full_wait;
    }
    void waited_in_vain(SteadyTime now) noexcept { short_until_ = now + short_for; }

    static constexpr Milliseconds full_wait{1000};
    static constexpr Milliseconds short_wait{100};
    static constexpr std::chrono::seconds short_for{10};

private:
    SteadyTime short_until_{};
};

}  // namespace sluice::consumer
