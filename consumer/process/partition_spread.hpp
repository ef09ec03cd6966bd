#pragma once

#include "common/telemetry/metrics.hpp"
#include "consumer/process/startup.hpp"

namespace sluice::consumer {

/// `sluice_consumer_partitions_changed`, 1 while on-call has to check the topic's partitions. It keeps its
/// value while that is not known.
[[nodiscard]] Gauge& partitions_changed_gauge(Metrics& metrics);

/// Waits while the topic's keys are spread differently than when its first event was read, or records lie
/// where none belong: reading on could apply an object's events out of order. Readiness, a log line and the
/// gauge say so. Returns over how many partitions keys are spread; nullopt after a stop.
[[nodiscard]] std::optional<int> wait_for_partitions(const Config& config, rd_kafka_t& client,
                                                     const Clock& clock, Log& log, Metrics& metrics,
                                                     Readiness& readiness, const WaitOrStop& wait);

}  // namespace sluice::consumer
