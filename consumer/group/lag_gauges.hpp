#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/offsets/purpose.hpp"

namespace sluice::consumer {

/// The metrics `due_lag_seconds` and `unfinished_events` of a role's partitions (metric_of). The poll
/// thread's.
class LagGauges {
public:
    LagGauges(Metrics& metrics, Purpose purpose) : metrics_{metrics}, purpose_{purpose} {}

    /// Of one partition that the process has. `oldest_due`: nothing when caught up.
    void show(const std::string& topic, std::int32_t partition, std::optional<WallTime> oldest_due,
              std::size_t unfinished, WallTime now);
    /// Ends a round: a partition not shown in it is another member's now, and must not keep its last age for
    /// ever. Returns how many were shown.
    std::size_t end_look();

private:
    struct Gauges {
        Gauge* age;
        Gauge* unfinished;
        bool is_ours = false;
    };
    Gauges& gauges_of(const std::string& topic, std::int32_t partition);

    Metrics& metrics_;
    const Purpose purpose_;
    std::map<std::pair<std::string, std::int32_t>, Gauges> gauges_;
};

}  // namespace sluice::consumer
