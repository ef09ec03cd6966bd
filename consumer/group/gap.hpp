#pragma once

#include <cstdint>
#include <string_view>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/offsets/purpose.hpp"

namespace sluice::consumer {

/// Records [from, to) of a partition are no longer in Kafka and were never applied.
struct Gap {
    std::string_view topic;
    std::int32_t partition = 0;
    std::int64_t from = 0;
    std::int64_t to = 0;
    Purpose purpose = Purpose::apply;
};

/// Exported from the start, so that the first gap is an increase.
Counter& gap_counter(Metrics& metrics, Purpose purpose);

/// The alarm of a lost event: one error line named `gap` and the metric `gap_events_total` (metric_of), which
/// counts offsets, so that a gap over compacted or aborted records counts high rather than low.
void raise_alarm(const Gap& gap, Log& log, Metrics& metrics);

/// The same for a log that was cut below `cut.to`, the next offset to read, and ends at `cut.from` now: a
/// line `log_truncated`. What was accepted behind the cut and never read is gone; how much is not known, so
/// it counts what is known to be missing, and at least one.
void raise_truncation_alarm(const Gap& cut, Log& log, Metrics& metrics);

}  // namespace sluice::consumer
