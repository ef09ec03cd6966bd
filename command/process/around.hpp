#pragma once

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"

namespace sluice::command {

/// What the execution of commands uses of the process; all outlive it.
struct Around {
    const config::MysqlSettings& mysql;
    Log& log;
    Metrics& metrics;
    Readiness& readiness;
    const Clock& clock;
};

}  // namespace sluice::command
