#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/telemetry/metrics.hpp"
#include "consumer/store/poll/reconciliation.hpp"

namespace sluice::poller {

/// The series of one source's regular reconciliation (docs/metrics.md). One thread's.
class ReconcileMetrics {
public:
    /// `every`: how often it is to be done.
    ReconcileMetrics(Metrics& metrics, const std::string& source, Milliseconds every);

    /// What the last one that looked at all has found.
    void found(const store::ReconciliationCounts& counts);
    /// Listed by the last one that ended in this process.
    void unreadable(std::int64_t events);
    /// So long ago it ended.
    void aged(std::chrono::microseconds age);
    /// Another process says it.
    void stands_by();

private:
    Gauge& listed_;
    Gauge& missing_;
    Gauge& injected_;
    Gauge& not_applied_;
    Gauge& not_there_;
    Gauge& unreadable_;
    Gauge& age_;
};

}  // namespace sluice::poller
