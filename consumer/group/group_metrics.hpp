#pragma once

#include "common/telemetry/metrics.hpp"

namespace sluice::consumer {

/// A role's membership in its group. The poll thread's.
struct GroupMetrics {
    GroupMetrics(Metrics& metrics, const char* role)
        : assigned{metrics.gauge("sluice_consumer_partitions_assigned",
                                 "Partitions that the process reads, by role", {{"role", role}})},
          rebalances{metrics.counter("sluice_consumer_rebalances_total",
                                     "Assignments that the process received, by role", {{"role", role}})} {}

    Gauge& assigned;
    Counter& rebalances;
};

}  // namespace sluice::consumer
