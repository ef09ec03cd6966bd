#pragma once

#include <span>
#include <vector>

#include "consumer/record/record.hpp"
#include "consumer/store/lane/lane.hpp"

namespace sluice::consumer {

/// Which of the events' lanes are not open; no locks. A healthy fleet has none, and no key is made there.
[[nodiscard]] Result<std::vector<store::LaneKey>> busy_lanes_of(std::span<Item* const> items,
                                                                store::Connection& connection);

}  // namespace sluice::consumer
