#include "consumer/lane/rules/run_or_park.hpp"

#include <algorithm>

namespace sluice::lane {

Admission admit(const Lane& lane) noexcept {
    return head_of(lane) == nullptr ? Admission::run : Admission::park;
}

Parking park(const Lane& lane, std::span<const std::string> effects,
             std::span<const std::string> heads_effects, WallTime now) {
    const Row* head = head_of(lane);
    const bool supersedes = head != nullptr && head->status == Status::dead && head->may_be_superseded &&
                            std::ranges::equal(effects, heads_effects);
    if (!supersedes) return {lane.wakeup, std::nullopt};
    // Nothing else would wake what stood behind the dead one.
    return {armed(lane.wakeup, now), head->position};
}

Wakeup enter(const Lane& lane, const Row& failed, WallTime now) {
    // Those before a dead row keep the wakeup they have; it waits for no time itself.
    if (failed.status == Status::dead) return lane.wakeup;
    Lane entered = lane;
    entered.front.push_back(failed);
    return armed(lane.wakeup, *next_due(entered, now));
}

}  // namespace sluice::lane
