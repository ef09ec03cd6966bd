#pragma once

#include <optional>

#include "common/clock.hpp"

namespace sluice::poller {

/// The requests of one account (one API key), over all its walks of this process: a bucket of tokens, and the
/// provider's own word. Pure; not thread-safe: who asks `wait` and then says `spent` holds the account's lock
/// over both.
class Budget {
public:
    /// `per_second` > 0; `burst` ≥ 1: how many may leave at once after a rest.
    Budget(double per_second, int burst);

    /// Before the next request may leave; zero: now.
    [[nodiscard]] Milliseconds wait(SteadyTime now) const;
    /// A request leaves.
    void spent(SteadyTime now);
    /// The provider said 429: nobody asks before so long, 1 s to 1 h; then one asks, and the bucket is empty.
    /// Where it does not say how long: 2 s, or twice the last pause if that was over for less than its own
    /// length.
    void limited(SteadyTime now, std::optional<Milliseconds> retry_after);
    /// Requests that may leave at once; 0 in a pause.
    [[nodiscard]] double left(SteadyTime now) const;

private:
    [[nodiscard]] double tokens(SteadyTime now) const;

    double per_second_;
    double burst_;
    double tokens_;  // at `filled_at_`
    SteadyTime filled_at_{};
    SteadyTime paused_until_{};
    Milliseconds pause_{0};  // the last one of our choice
};

}  // namespace sluice::poller
