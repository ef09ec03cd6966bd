#pragma once

#include <map>
#include <string>

#include "common/clock.hpp"
#include "common/telemetry/label_set.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// How many objects and events wait, and what on-call has to handle, as metrics. Counted by one process of
/// the fleet, the one that sweeps; all others export zero, so that sums are right. One thread's.
class LaneMetrics {
public:
    explicit LaneMetrics(Metrics& metrics) : metrics_{metrics} {}

    /// No locks. A Failure leaves what was exported before.
    [[nodiscard]] Result<void> take(store::Connection& connection, WallTime now);
    /// Another process counts.
    void forget();

private:
    using Values = std::map<std::string, double>;  // by the value of the one label

    [[nodiscard]] Result<void> count_lanes(store::Connection& connection, WallTime now);
    [[nodiscard]] Result<void> count_dead_letters(store::Connection& connection, WallTime now);
    void show(const std::string& name, const std::string& help, const std::string& label,
              const Values& values);
    void show(const std::string& name, const std::string& help, double value);

    Metrics& metrics_;
    LabelSet case_classes_{50};                                   // their names come from statements
    std::map<std::string, std::map<std::string, Gauge*>> shown_;  // by metric and label value
};

}  // namespace sluice::consumer
