#include "ingress/spill/spill_metrics.hpp"

namespace sluice::spill {
namespace {

Counter& refused(Metrics& metrics, const char* reason) {
    return metrics.counter("sluice_ingress_spill_refused_total",
                           "Records that Kafka did not acknowledge and the journal did not take",
                           {{"reason", reason}});
}

}  // namespace

SpillMetrics::SpillMetrics(Metrics& metrics)
    : records{metrics.gauge("sluice_ingress_spill_records",
                            "Records in the journal that Kafka does not have yet")},
      bytes{metrics.gauge("sluice_ingress_spill_bytes", "Bytes of the journal on disk")},
      max_bytes{
          metrics.gauge("sluice_ingress_spill_max_bytes", "Bytes that the journal may have (spill.max)")},
      broken{metrics.gauge("sluice_ingress_spill_broken", "1 once the journal takes no more records")},
      spilled{metrics.counter("sluice_ingress_spilled_total", "Records that the journal took")},
      drained{metrics.counter("sluice_ingress_spill_drained_total",
                              "Records of the journal that Kafka has acknowledged")},
      refused_full{refused(metrics, "full")},
      refused_broken{refused(metrics, "broken")},
      refused_slow{refused(metrics, "slow")},
      refused_too_large{refused(metrics, "too_large")},
      damaged_bytes{metrics.counter("sluice_ingress_spill_damaged_bytes_total",
                                    "Bytes of the journal that could not be read back")} {}

}  // namespace sluice::spill
