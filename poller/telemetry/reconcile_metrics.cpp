#include "poller/telemetry/reconcile_metrics.hpp"

namespace sluice::poller {
namespace {

Gauge& reconciled(Metrics& metrics, const std::string& source, const char* result) {
    return metrics.gauge("sluice_poller_reconciled_events", "Events of the last reconciliation",
                         {{"source", source}, {"result", result}});
}

}  // namespace

ReconcileMetrics::ReconcileMetrics(Metrics& metrics, const std::string& source, Milliseconds every)
    : listed_{reconciled(metrics, source, "listed")},
      missing_{reconciled(metrics, source, "missing")},
      injected_{reconciled(metrics, source, "injected")},
      not_applied_{reconciled(metrics, source, "not_applied")},
      not_there_{reconciled(metrics, source, "not_there")},
      unreadable_{reconciled(metrics, source, "unreadable")},
      age_{metrics.gauge("sluice_poller_reconciled_age_seconds", "Age of the last reconciliation that ended",
                         {{"source", source}})} {
    metrics
        .gauge("sluice_poller_reconciled_usual_seconds",
               "How old the last reconciliation gets while nothing is wrong", {{"source", source}})
        .Set(std::chrono::duration<double>{2 * every}.count());
}

void ReconcileMetrics::found(const store::ReconciliationCounts& counts) {
    listed_.Set(static_cast<double>(counts.listed));
    missing_.Set(static_cast<double>(counts.missing));
    injected_.Set(static_cast<double>(counts.injected));
    not_applied_.Set(static_cast<double>(counts.not_applied));
    not_there_.Set(static_cast<double>(counts.not_there.value_or(0)));
}

void ReconcileMetrics::unreadable(std::int64_t events) {
    unreadable_.Set(static_cast<double>(events));
}

void ReconcileMetrics::aged(std::chrono::microseconds age) {
    age_.Set(std::chrono::duration<double>{age}.count());
}

void ReconcileMetrics::stands_by() {
    found({});
    unreadable(0);
    aged(std::chrono::microseconds{0});
}

}  // namespace sluice::poller
