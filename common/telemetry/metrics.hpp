#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

namespace sluice {

using Labels = std::map<std::string, std::string>;
using prometheus::Counter;
using prometheus::Gauge;
using prometheus::Histogram;

/// The process's metrics. References stay valid as long as the object lives; resolve them once,
/// at start, never per event. Label values come from closed sets: values chosen outside are
/// mapped to "other" first (`common/telemetry/label_set.hpp`). Thread-safe.
class Metrics {
public:
    Metrics();

    Counter& counter(const std::string& name, const std::string& help, const Labels& labels = {});
    Gauge& gauge(const std::string& name, const std::string& help, const Labels& labels = {});
    Histogram& histogram(const std::string& name, const std::string& help, const std::vector<double>& bounds,
                         const Labels& labels = {});

    /// Called before each exposition, one at a time, to set values that others hold. What it uses outlives
    /// the last exposition; it must not expose anything itself.
    void before_exposition(std::function<void()> refresh);

    /// Prometheus text format 0.0.4.
    [[nodiscard]] std::string exposition() const;

private:
    std::shared_ptr<prometheus::Registry> registry_;
    mutable std::mutex mutex_;  // of the next
    std::vector<std::function<void()>> refreshers_;
};

/// Seconds, from 50 µs to 10 s; contains each threshold that an alert uses.
[[nodiscard]] const std::vector<double>& request_seconds_bounds();
/// Seconds, from 5 ms to 1 h; for received-to-committed.
[[nodiscard]] const std::vector<double>& lag_seconds_bounds();

}  // namespace sluice
