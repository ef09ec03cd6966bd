#pragma once

#include "common/clock.hpp"
#include "ctl/doctor/finding.hpp"

namespace sluice::ctl {

/// How far a server's clock is from ours. A signature's time window is minutes wide, records and inbox
/// rows are compared in seconds: over 2 s is a warning, over 60 s is wrong. Pure.
[[nodiscard]] Finding judge_clock(const std::string& check, WallTime ours, WallTime theirs);

}  // namespace sluice::ctl
