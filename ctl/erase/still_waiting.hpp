#pragma once

#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "consumer/store/driver/connection.hpp"
#include "ctl/erase/erase_plan.hpp"

namespace sluice::ctl {

/// The object's events that wait in its lane and its open entries, the first ten of each. Throws Stopped.
[[nodiscard]] std::vector<StillWaiting> still_waiting(store::Connection& connection,
                                                      const config::MysqlSettings& settings,
                                                      const std::string& object_key);

}  // namespace sluice::ctl
