#include "poller/pace/budget.hpp"

#include <algorithm>
#include <chrono>

namespace sluice::poller {
namespace {

using std::chrono::hours;
using std::chrono::seconds;
using Fraction = std::chrono::duration<double>;

constexpr Milliseconds shortest_pause = seconds{1};
constexpr Milliseconds first_pause = seconds{2};
constexpr Milliseconds longest_pause = hours{1};

}  // namespace

Budget::Budget(double per_second, int burst)
    : per_second_{per_second}, burst_{static_cast<double>(burst)}, tokens_{burst_} {}

double Budget::tokens(SteadyTime now) const {
    if (now <= filled_at_) return tokens_;
    return std::min(burst_, tokens_ + per_second_ * Fraction{now - filled_at_}.count());
}

double Budget::left(SteadyTime now) const {
    return now < paused_until_ ? 0.0 : std::max(0.0, tokens(now));
}

Milliseconds Budget::wait(SteadyTime now) const {
    const auto pause = std::max(paused_until_ - now, SteadyTime::duration::zero());
    const Fraction missing{std::max(0.0, 1.0 - tokens(now)) / per_second_};
    return std::chrono::ceil<Milliseconds>(pause + missing);
}

void Budget::spent(SteadyTime now) {
    tokens_ = tokens(now) - 1.0;
    filled_at_ = std::max(filled_at_, now);
}

void Budget::limited(SteadyTime now, std::optional<Milliseconds> retry_after) {
    // Of a request that left before the pause: nothing new.
    if (now < paused_until_ && !retry_after) return;
    if (!retry_after)
        pause_ = now < paused_until_ + pause_ ? std::min(2 * pause_, longest_pause) : first_pause;
    const auto pause = retry_after ? std::clamp(*retry_after, shortest_pause, longest_pause) : pause_;
    paused_until_ = std::max(paused_until_, now + pause);
    filled_at_ = paused_until_;
    tokens_ = 1.0;
}

}  // namespace sluice::poller
