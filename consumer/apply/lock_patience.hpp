#pragma once

#include <algorithm>
#include <utility>

#include "common/clock.hpp"

namespace sluice::consumer {

/// How long the effects of a worker wait for a lock: a second, the least that InnoDB knows. Once one has
/// waited in vain a tenth of that, for ten seconds: whoever holds that row holds it against others too, and
/// each of them would cost all the rest of the worker a second more. Who loses such a short wait does so
/// uncounted and waits in its lane.
///
/// A full wait that is lost soon after those ten seconds is taken for the same lock: the next period is six
/// times as long, and so on up to ten minutes, so that a lock that lasts costs a worker three seconds in a
/// minute and a half and next to nothing from then on. Short waits prolong nothing: effects that are merely
/// slow lose them, too, nobody can tell the two apart, and they would keep themselves out of the main role
/// for as long as their events come. Pure; one worker's.
class LockPatience {
public:
    /// For statements that begin now.
    [[nodiscard]] Milliseconds wait(SteadyTime now) noexcept {
        return given_ = now < short_until_ ? short_wait : full_wait;
    }
    /// One of those that `wait` was said for last; said of the same one twice, it counts once.
    void waited_in_vain(SteadyTime now) noexcept {
        if (std::exchange(given_, short_wait) != full_wait) return;
        const bool is_soon = now < short_until_ + period_;
        period_ = is_soon ? std::min(period_ * 6, longest) : first;
        short_until_ = now + period_;
    }

    static constexpr Milliseconds full_wait{1000};
    static constexpr Milliseconds short_wait{100};
    static constexpr Milliseconds first = std::chrono::seconds{10};
    static constexpr Milliseconds longest = std::chrono::minutes{10};

private:
    Milliseconds period_{};  // the last one's length
    SteadyTime short_until_{};
    Milliseconds given_ = full_wait;
};

}  // namespace sluice::consumer
