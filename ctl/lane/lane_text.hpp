#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/lane/lane_list.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// Lanes in the forms that commands answer with. Pure.

[[nodiscard]] Json to_json(const std::vector<store::LaneCount>& counts,
                           const std::vector<store::LaneSummary>& lanes);
[[nodiscard]] std::string to_people(const std::vector<store::LaneCount>& counts,
                                    const std::vector<store::LaneSummary>& lanes, WallTime now);

[[nodiscard]] Json to_json(const store::LaneSummary& lane, const std::vector<store::LaneEventRow>& events);
[[nodiscard]] std::string to_people(const store::LaneSummary& lane,
                                    const std::vector<store::LaneEventRow>& events, WallTime now);

}  // namespace sluice::ctl
