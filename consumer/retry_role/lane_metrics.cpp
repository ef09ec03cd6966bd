#include "consumer/retry_role/lane_metrics.hpp"

#include <algorithm>

#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/lane/lane_list.hpp"

namespace sluice::consumer {
namespace {

double age(std::optional<WallTime> since, WallTime now) {
    if (!since) return 0;
    return std::max(std::chrono::duration<double>(now - *since).count(), 0.0);
}

}  // namespace

Result<void> LaneMetrics::take(store::Connection& connection, WallTime now) {
    if (auto counted = count_lanes(connection, now); !counted) return counted;
    return count_dead_letters(connection, now);
}

void LaneMetrics::forget() {
    for (auto& [name, gauges] : shown_) {
        for (auto& [value, gauge] : gauges) gauge->Set(0);
    }
}

Result<void> LaneMetrics::count_lanes(store::Connection& connection, WallTime now) {
    const auto counts = store::count_lanes(connection);
    if (!counts) return Failure{counts.error()};
    Values lanes;
    Values events;
    Values oldest;
    for (const auto& count : *counts) {
        const std::string state{lane::name_of(count.state)};
        lanes[state] = static_cast<double>(count.lanes);
        events[state] = static_cast<double>(count.events);
        oldest[state] = age(count.oldest, now);
    }
    show("sluice_consumer_lanes", "Objects with unfinished events, by the state of their lane", "state",
         lanes);
    show("sluice_consumer_lane_events", "Unfinished events of lanes in this state", "state", events);
    show("sluice_consumer_lane_oldest_seconds", "Age of the oldest unfinished event of lanes in this state",
         "state", oldest);
    return {};
}

Result<void> LaneMetrics::count_dead_letters(store::Connection& connection, WallTime now) {
    const auto counts = store::count_open_dead_letters(connection);
    if (!counts) return Failure{counts.error()};
    Values open;
    Values cases;
    Values oldest_cases;
    double oldest = 0;
    for (const auto& count : *counts) {
        const double since = age(count.oldest, now);
        if (count.are_cases) {
            const std::string name{case_classes_.admit(count.error_class)};
            cases[name] += static_cast<double>(count.count);
            oldest_cases[name] = std::max(oldest_cases[name], since);
            continue;
        }
        open[count.error_class] += static_cast<double>(count.count);
        oldest = std::max(oldest, since);
    }
    const auto held = store::count_lanes_held_by_cases(connection);
    if (!held) return Failure{held.error()};
    show("sluice_consumer_lanes_held_by_cases", "Quarantined objects that only cases hold",
         static_cast<double>(*held));
    show("sluice_consumer_cases_open", "Cases that effects left to a person, by class", "class", cases);
    show("sluice_consumer_cases_oldest_seconds", "Age of the oldest open case of this class", "class",
         oldest_cases);
    show("sluice_consumer_dlq_open", "Entries that wait for an operator", "class", open);
    show("sluice_consumer_dlq_oldest_seconds", "Age of the oldest entry that waits for an operator", oldest);
    return {};
}

void LaneMetrics::show(const std::string& name, const std::string& help, const std::string& label,
                       const Values& values) {
    auto& gauges = shown_[name];
    for (auto& [value, gauge] : gauges) {
        if (!values.contains(value)) gauge->Set(0);
    }
    for (const auto& [value, number] : values) {
        Gauge*& gauge = gauges[value];
        if (gauge == nullptr) gauge = &metrics_.gauge(name, help, {{label, value}});
        gauge->Set(number);
    }
}

void LaneMetrics::show(const std::string& name, const std::string& help, double value) {
    Gauge*& gauge = shown_[name][""];
    if (gauge == nullptr) gauge = &metrics_.gauge(name, help);
    gauge->Set(value);
}

}  // namespace sluice::consumer
