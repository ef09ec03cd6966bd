#include "consumer/apply/busy_lanes.hpp"

#include <algorithm>

#include "consumer/apply/event.hpp"

namespace sluice::consumer {

Result<std::vector<store::LaneKey>> busy_lanes_of(std::span<Item* const> items,
                                                  store::Connection& connection) {
    return store::busy_lanes(connection, items.size(), [items] {
        std::vector<store::LaneKey> lanes;
        lanes.reserve(items.size());
        for (Item* item : items) lanes.push_back(lane_of(*item));
        lanes.erase(std::ranges::unique(lanes).begin(), lanes.end());
        return lanes;
    });
}

}  // namespace sluice::consumer
