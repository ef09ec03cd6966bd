#pragma once

#include "common/config/problems.hpp"
#include "ctl/doctor/finding.hpp"

namespace sluice::ctl {

/// One finding per problem and warning of a part of the configuration, or one that all is well. Pure.
[[nodiscard]] Findings judge_config(const std::string& part, const config::Problems& problems);

}  // namespace sluice::ctl
