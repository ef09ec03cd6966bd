#pragma once

#include <algorithm>
#include <utility>

#include "common/clock.hpp"

namespace sluice::consumer {

/// How long the effects of a worker wait for a lock: a second, the least that InnoDB knows. Once one has
/// waited in vain, they wait a tenth of that, for a minute: other events may need the locked row too, and
/// each would cost the rest of the worker a second more. An event that loses such a short wait waits in its
/// lane, uncounted.
///
/// A full wait that is lost soon after that minute is taken for the same lock: the next period is six
/// times as long, and so on up to ten minutes. So a lock that lasts costs a worker a second at once, one
/// after a minute, and next to nothing from then on. Lost short waits prolong nothing. Effects that are
/// merely slow lose them too, and the two look the same: slow effects would keep themselves out of the main
/// role for as long as their events come. Pure; one worker's.
class LockPatience {
public:
    /// For statements that begin now.
    [[nodiscard]] Milliseconds wait(SteadyTime now) noexcept {
        return given_ = now < short_until_ ? short_wait : full_wait;
    }
    /// A statement that got the last `wait` waited in vain. Said twice of one `wait`, it counts once.
    void waited_in_vain(SteadyTime now) noexcept {
        if (std::exchange(given_, short_wait) != full_wait) return;
        const bool is_soon = now < short_until_ + period_;
        period_ = is_soon ? std::min(period_ * 6, longest) : first;
        short_until_ = now + period_;
    }

    static constexpr Milliseconds full_wait{1000};
    static constexpr Milliseconds short_wait{100};
    static constexpr Milliseconds first = std::chrono::minutes{1};
    static constexpr Milliseconds longest = std::chrono::minutes{10};

private:
    Milliseconds period_{};  // the last one's length
    SteadyTime short_until_{};
    Milliseconds given_ = full_wait;
};

}  // namespace sluice::consumer
