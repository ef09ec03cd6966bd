#pragma once

#include <cstdint>

#include "common/log.hpp"
#include "common/metrics.hpp"

namespace sluice::consumer {

/// Records [from, to) of a partition are not in Kafka any more and were never applied.
struct Gap {
    std::int32_t partition = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
};

/// There from the start, so that the first gap is an increase.
Counter& gap_counter(Metrics& metrics);

/// The alarm of a lost event: one error line named `gap` and `sluice_consumer_gap_events_total`, which
/// counts offsets, so that a gap over compacted or aborted records counts high rather than low.
void raise_alarm(const Gap& gap, Log& log, Metrics& metrics);

}  // namespace sluice::consumer
