#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/record/record.hpp"
#include "consumer/telemetry/burst_watch.hpp"

namespace sluice::consumer {

/// The alarm of an object with more than ten events within an hour: a line `object_burst`, which alone names
/// the object, and `sluice_consumer_object_bursts_total` by provider. Each process counts the objects of its
/// own partitions, and starts again after a restart. Thread-safe.
class ObjectBursts {
public:
    /// The providers of `sources` have their counters from the start.
    ObjectBursts(const webhook::SourceSet& sources, Log& log, Metrics& metrics);

    /// An event that was not known before was applied, or has its place in its lane. Counted by its time of
    /// receipt, so that working off a backlog makes no burst.
    void taken_in(const Item& item);

private:
    [[nodiscard]] Counter& counter_of(std::string_view provider);

    Log& log_;
    std::mutex mutex_;
    std::optional<BurstWatch> watch_;  // made with the first event: the retry role has none
    std::map<std::string, Counter*, std::less<>> counters_;
};

}  // namespace sluice::consumer
