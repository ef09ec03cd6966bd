#pragma once

#include <string>

#include "ctl/cli/json.hpp"
#include "ctl/send/traffic/run_traffic.hpp"

namespace sluice::ctl {

/// Instead of sending: every delivery once, as the raw request that `sluicectl verify --request` and
/// `sluicectl recipes test` read, in files that name their place and kind: folder/000001-fresh.http. What was
/// written, one row each. Throws Stopped(usage) when the folder or a file cannot be made.
[[nodiscard]] Json save_traffic(const Traffic& traffic, const Clock& clock, const std::string& folder);

}  // namespace sluice::ctl
