#include "consumer/group/gap.hpp"

#include <algorithm>

namespace sluice::consumer {

Counter& gap_counter(Metrics& metrics, Purpose purpose) {
    return metrics.counter(metric_of(purpose, "gap_events_total"),
                           purpose == Purpose::apply
                               ? "Events that Kafka lost before they were applied"
                               : "Records that Kafka deleted before their callbacks were recorded");
}

void raise_alarm(const Gap& gap, Log& log, Metrics& metrics) {
    gap_counter(metrics, gap.purpose).Increment(static_cast<double>(gap.to - gap.from));
    log.error("gap",
              {{"topic", gap.topic},
               {"partition", std::int64_t{gap.partition}},
               {"from", gap.from},
               {"to", gap.to},
               {"reason", gap.purpose == Purpose::apply
                              ? "Kafka deleted records before they were applied: reconcile with the provider"
                              : "Kafka deleted records before their callbacks were recorded"}});
}

void raise_truncation_alarm(const Gap& cut, Log& log, Metrics& metrics) {
    gap_counter(metrics, cut.purpose)
        .Increment(static_cast<double>(std::max<std::int64_t>(cut.to - cut.from, 1)));
    log.error("log_truncated", {{"topic", cut.topic},
                                {"partition", std::int64_t{cut.partition}},
                                {"position", cut.to},
                                {"log_end", cut.from},
                                {"reason",
                                 "the log was cut below what was read (an unclean election, a restored "
                                 "disk), so accepted events may be lost. It is read again from its start; "
                                 "run `sluicectl markers forget`, then reconcile with the provider"}});
}

}  // namespace sluice::consumer
