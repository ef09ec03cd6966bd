#pragma once

#include <string>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"

namespace sluice {

/// What every program reports about itself: its version and role, each concern of its readiness, and how many
/// log lines it dropped. Read at each exposition; `log` and `readiness` outlive the last.
void export_process(Metrics& metrics, const Log& log, const Readiness& readiness, const std::string& role);

}  // namespace sluice
