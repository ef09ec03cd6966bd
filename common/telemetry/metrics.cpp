#include "common/telemetry/metrics.hpp"

#include <utility>

#include <prometheus/text_serializer.h>

namespace sluice {

Metrics::Metrics() : registry_{std::make_shared<prometheus::Registry>()} {}

Counter& Metrics::counter(const std::string& name, const std::string& help, const Labels& labels) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(*registry_).Add(labels);
}

Gauge& Metrics::gauge(const std::string& name, const std::string& help, const Labels& labels) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(*registry_).Add(labels);
}

Histogram& Metrics::histogram(const std::string& name, const std::string& help,
                              const std::vector<double>& bounds, const Labels& labels) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(*registry_).Add(labels, bounds);
}

void Metrics::before_exposition(std::function<void()> refresh) {
    const std::lock_guard lock{mutex_};
    refreshers_.push_back(std::move(refresh));
}

std::string Metrics::exposition() const {
    const std::lock_guard lock{mutex_};
    for (const auto& refresh : refreshers_) refresh();
    return prometheus::TextSerializer{}.Serialize(registry_->Collect());
}

const std::vector<double>& request_seconds_bounds() {
    static const std::vector<double> bounds{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025,
                                            0.005,   0.01,   0.025,   0.05,   0.1,   0.25,
                                            0.5,     1,      2.5,     5,      10};
    return bounds;
}

const std::vector<double>& lag_seconds_bounds() {
    static const std::vector<double> bounds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1,    2.5, 5,
                                            10,    30,   60,    120,  300, 600,  900, 1800, 3600};
    return bounds;
}

}  // namespace sluice
