#include "consumer/gap.hpp"

namespace sluice::consumer {

Counter& gap_counter(Metrics& metrics) {
    return metrics.counter("sluice_consumer_gap_events_total",
                           "Events that Kafka dropped before they were applied");
}

void raise_alarm(const Gap& gap, Log& log, Metrics& metrics) {
    gap_counter(metrics).Increment(static_cast<double>(gap.to - gap.from));
    log.error("gap",
              {{"partition", std::int64_t{gap.partition}},
               {"from", gap.from},
               {"to", gap.to},
               {"reason", "Kafka dropped records that were not applied: reconcile with the provider"}});
}

}  // namespace sluice::consumer
