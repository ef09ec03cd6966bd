#include "common/telemetry/metrics.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Metrics, SameNameAndLabelsAreTheSameObject) {
    Metrics metrics;
    Counter& one = metrics.counter("a_total", "A.", {{"k", "v"}});
    one.Increment();
    EXPECT_EQ(&metrics.counter("a_total", "A.", {{"k", "v"}}), &one);
    EXPECT_NE(&metrics.counter("a_total", "A.", {{"k", "w"}}), &one);
    EXPECT_EQ(&metrics.gauge("g", "G."), &metrics.gauge("g", "G."));
    EXPECT_EQ(&metrics.histogram("h", "H.", {1}), &metrics.histogram("h", "H.", {1}));
}

TEST(Metrics, ExpositionNamesValuesAndLabels) {
    Metrics metrics;
    metrics.counter("webhook_received_total", "Webhooks.", {{"provider", "stripe"}}).Increment(3);
    metrics.gauge("sluice_ready", "Readiness.").Set(1);
    metrics.histogram("lag_seconds", "Lag.", {0.5, 1}).Observe(0.7);
    const std::string text = metrics.exposition();
    EXPECT_TRUE(text.contains("# HELP webhook_received_total Webhooks.\n")) << text;
    EXPECT_TRUE(text.contains("# TYPE webhook_received_total counter\n")) << text;
    EXPECT_TRUE(text.contains("webhook_received_total{provider=\"stripe\"} 3\n")) << text;
    EXPECT_TRUE(text.contains("sluice_ready 1\n")) << text;
    EXPECT_TRUE(text.contains("lag_seconds_bucket{le=\"0.5\"} 0\n")) << text;
    EXPECT_TRUE(text.contains("lag_seconds_bucket{le=\"1\"} 1\n")) << text;
}

void expect_ascending_with(const std::vector<double>& bounds, std::initializer_list<double> thresholds) {
    EXPECT_TRUE(std::ranges::is_sorted(bounds, std::less_equal<>{}));
    for (const double threshold : thresholds) {
        EXPECT_NE(std::ranges::find(bounds, threshold), bounds.end()) << threshold;
    }
}

TEST(Metrics, BoundsContainEveryThresholdOfAnAlert) {
    expect_ascending_with(request_seconds_bounds(), {0.00005, 0.001, 0.005, 0.05, 0.25, 1, 10});
    expect_ascending_with(lag_seconds_bounds(), {0.005, 1, 5, 30, 60, 300, 900, 3600});
}

}  // namespace
}  // namespace sluice
