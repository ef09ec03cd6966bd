#pragma once

#include "common/telemetry/metrics.hpp"
#include "consumer/process/startup.hpp"

namespace sluice::consumer {

/// `sluice_consumer_partitions_changed`, 1 while somebody has to look at the topic's partitions. It stays as
/// it was while nobody can tell.
[[nodiscard]] Gauge& partitions_changed_gauge(Metrics& metrics);

/// Waits while the topic's keys are spread otherwise than when its first event was read, or records lie where
/// none belong: reading on could apply an object's events out of order. Readiness, a log line and the gauge
/// say so. The number of partitions over which keys are spread; nullopt after a stop.
[[nodiscard]] std::optional<int> wait_for_partitions(const Config& config, rd_kafka_t& client,
                                                     const Clock& clock, Log& log, Metrics& metrics,
                                                     Readiness& readiness, const WaitOrStop& wait);

}  // namespace sluice::consumer
