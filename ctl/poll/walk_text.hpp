#pragma once

#include <string>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/poll/walk_list.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

[[nodiscard]] Json to_json(const std::vector<store::ListedWalk>& walks);
/// `now`: for how far each is behind.
[[nodiscard]] std::string to_people(const std::vector<store::ListedWalk>& walks, WallTime now);

/// "2026-11-01 10:00:00 to 2026-11-03 12:30:00"
[[nodiscard]] std::string text_of(const store::WalkGap& gap);

}  // namespace sluice::ctl
