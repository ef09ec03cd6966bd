#include "consumer/group/lag_gauges.hpp"

#include <algorithm>

namespace sluice::consumer {

void LagGauges::show(const std::string& topic, std::int32_t partition, std::optional<WallTime> oldest_due,
                     std::size_t unfinished, WallTime now) {
    Gauges& gauges = gauges_of(topic, partition);
    const auto age = oldest_due ? std::chrono::duration<double>(now - *oldest_due).count() : 0.0;
    gauges.age->Set(std::max(age, 0.0));  // the broker's clock may be ahead of ours
    gauges.unfinished->Set(static_cast<double>(unfinished));
    gauges.is_ours = true;
}

std::size_t LagGauges::end_look() {
    std::size_t ours = 0;
    for (auto& [place, gauges] : gauges_) {
        if (std::exchange(gauges.is_ours, false)) {
            ++ours;
            continue;
        }
        gauges.age->Set(0);
        gauges.unfinished->Set(0);
    }
    return ours;
}

LagGauges::Gauges& LagGauges::gauges_of(const std::string& topic, std::int32_t partition) {
    const auto known = gauges_.find({topic, partition});
    if (known != gauges_.end()) return known->second;
    const Labels labels{{"topic", topic}, {"partition", std::to_string(partition)}};
    Gauge& age =
        metrics_.gauge(metric_of(purpose_, "due_lag_seconds"),
                       "Age of the oldest due event that is not committed; 0 when caught up", labels);
    Gauge& unfinished = metrics_.gauge(metric_of(purpose_, "unfinished_events"),
                                       "Events that are read and not finished", labels);
    return gauges_.emplace(std::pair{topic, partition}, Gauges{&age, &unfinished}).first->second;
}

}  // namespace sluice::consumer
