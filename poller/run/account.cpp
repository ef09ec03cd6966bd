#include "poller/run/account.hpp"

#include <algorithm>
#include <cmath>

namespace sluice::poller {
namespace {

// What may leave at once after a rest: a second's requests.
int burst_of(double per_second) {
    return std::max(1, static_cast<int>(std::ceil(per_second)));
}

}  // namespace

Account::Account(double per_second, const Clock& clock, Gauge& left)
    : clock_{clock}, left_{left}, budget_{per_second, burst_of(per_second)} {
    left_.Set(budget_.left(clock_.steady()));
}

Milliseconds Account::take() {
    const std::lock_guard lock{mutex_};
    const SteadyTime now = clock_.steady();
    const Milliseconds wait = budget_.wait(now);
    if (wait == Milliseconds{0}) budget_.spent(now);
    left_.Set(budget_.left(now));
    return wait;
}

bool Account::take_in_turn(const std::function<bool(Milliseconds)>& pause) {
    while (true) {
        const Milliseconds wait = take();
        if (wait == Milliseconds{0}) return true;
        if (!pause(wait)) return false;
    }
}

void Account::limited(std::optional<Milliseconds> retry_after) {
    const std::lock_guard lock{mutex_};
    budget_.limited(clock_.steady(), retry_after);
    left_.Set(0);
}

}  // namespace sluice::poller
