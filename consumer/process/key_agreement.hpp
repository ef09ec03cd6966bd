#pragma once

#include "common/telemetry/metrics.hpp"
#include "consumer/process/startup.hpp"

namespace sluice::consumer {

/// `sluice_consumer_keys_changed`, 1 while this process does nothing because its file makes keys differently
/// from those of earlier events. It keeps its value while that is not known.
[[nodiscard]] Gauge& keys_changed_gauge(Metrics& metrics);

/// Records in MySQL what keys of the sources' events are made of, and waits while something else is recorded:
/// events that come again could be applied twice or out of order. Readiness (`keys`), a log line and the
/// gauge say so; `sluicectl keys accept` ends it. False after a stop.
[[nodiscard]] bool wait_for_keys(const Config& config, const Clock& clock, Log& log, Metrics& metrics,
                                 Readiness& readiness, const WaitOrStop& wait);

}  // namespace sluice::consumer
