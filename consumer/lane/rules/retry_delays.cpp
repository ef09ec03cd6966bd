#include "consumer/lane/rules/retry_delays.hpp"

#include <algorithm>
#include <cstddef>

#include "common/failpoint.hpp"

namespace sluice::lane {
namespace {

constexpr int short_deferrals = 12;

}  // namespace

Milliseconds paced(Milliseconds time) noexcept {
    return time / HURRY();
}

Milliseconds delay_of(const Tier& tier) noexcept {
    return paced(tier.full_delay);
}

Milliseconds retry_delay(int attempts) noexcept {
    const int last = static_cast<int>(tiers.size()) - 1;
    return delay_of(tiers[static_cast<std::size_t>(std::clamp(attempts - 1, 0, last))]);
}

Milliseconds deferral_delay(int deferrals) noexcept {
    return delay_of(deferrals <= short_deferrals ? tiers[0] : tiers[1]);
}

const Tier& tier_for(Milliseconds remaining) noexcept {
    // What is left of a tier's delay by the time the record is produced still is that tier.
    const auto fits = [&](const Tier& tier) { return delay_of(tier) <= remaining + remaining / 8; };
    const auto last = std::ranges::find_last_if(tiers, fits);
    return last.empty() ? tiers.front() : last.front();
}

}  // namespace sluice::lane
