#pragma once

#include "common/telemetry/metrics.hpp"

namespace sluice::spill {

/// What is seen of the journal.
struct SpillMetrics {
    explicit SpillMetrics(Metrics& metrics);

    Gauge& records;
    Gauge& bytes;
    Gauge& max_bytes;
    Gauge& broken;
    Counter& spilled;
    Counter& drained;
    Counter& refused_full;
    Counter& refused_broken;
    Counter& refused_slow;
    Counter& refused_too_large;
    Counter& damaged_bytes;
};

}  // namespace sluice::spill
