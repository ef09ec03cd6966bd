#include "ingress/request/decision_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "ingress/telemetry/stages.hpp"
#include "tests/unit/ingress/support/test_sources.hpp"

namespace sluice::ingress {
namespace {

using namespace std::chrono_literals;

/// Everything that was logged, once the log is gone.
template <class Act>
std::string logged(Act act) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    {
        Log log{{.program = "unit", .descriptor = ends[1]}};
        act(log);
    }
    ::close(ends[1]);
    std::string text(64 * 1024, '\0');
    const auto size = ::read(ends[0], text.data(), text.size());
    ::close(ends[0]);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return text;
}

TEST(Decision, IsOneLineAndOneCounterOfTheSameName) {
    Metrics metrics;
    DecisionCounters counters{metrics};
    const Routes routes{test_sources(), metrics};
    const Route* route = routes.find("/v1/webhooks/stripe-eu");
    const std::string text = logged([&](Log& log) {
        DecisionLog decisions{log, counters};
        for (std::size_t i = 0; i < outcome_count; ++i)
            decisions.made(static_cast<Outcome>(i), {.route = route, .reason = "why", .trace = "abc"});
    });
    for (std::size_t i = 0; i < outcome_count; ++i) {
        const std::string name{name_of(static_cast<Outcome>(i))};
        EXPECT_TRUE(text.contains("\"decision\":\"" + name + "\"")) << text;
        EXPECT_EQ(route->decisions[i]->Value(), 1) << name;
        EXPECT_EQ(route->answered[i]->Value(), 1) << name;
        EXPECT_TRUE(metrics.exposition().contains("decision=\"" + name + "\""));
    }
    EXPECT_TRUE(text.contains("\"trace\":\"abc\"") && text.contains("\"source\":\"stripe-eu\""));
}

TEST(Decision, GateRefusalHasItsReason) {
    Metrics metrics;
    DecisionCounters counters{metrics};
    const std::string text = logged([&](Log& log) {
        DecisionLog{log, counters}.refused_at_gate(gate::Refusal::folded_field,
                                                   *network::Address::parse("192.0.2.1"));
    });
    EXPECT_TRUE(text.contains("gate_refused") && text.contains("folded_field") && text.contains("192.0.2.1"))
        << text;
    EXPECT_EQ(counters.gate_refusals.at("folded_field")->Value(), 1);
}

TEST(Decision, TypesBeyondTheLimitAreOther) {
    Metrics metrics;
    DecisionCounters counters{metrics};
    const auto source = test_sources().front();
    static_cast<void>(logged([&](Log& log) {
        DecisionLog decisions{log, counters};
        for (int i = 0; i < 300; ++i) decisions.received(*source, "made.up_" + std::to_string(i));
        decisions.received(*source, "made.up_7");
    }));
    EXPECT_EQ(
        metrics.counter("webhook_received_total", "", {{"provider", "stripe"}, {"type", "other"}}).Value(),
        100);
    EXPECT_EQ(metrics.counter("webhook_received_total", "", {{"provider", "stripe"}, {"type", "made.up_7"}})
                  .Value(),
              2);
}

TEST(StageTimes, ArriveInTheHistogramWithTheNextFlush) {
    Metrics metrics;
    StageTimes times{stage_histograms(metrics, "stripe")};
    times.add(Stage::verify, 700us);
    times.add(Stage::verify, 1ms);
    times.add(Stage::total, 1h);
    times.flush();
    times.flush();
    const auto has = [text = metrics.exposition()](const std::string& line) { return text.contains(line); };
    EXPECT_TRUE(has(R"(webhook_stage_seconds_bucket{provider="stripe",stage="verify",le="0.0005"} 0)"));
    EXPECT_TRUE(has(R"(webhook_stage_seconds_bucket{provider="stripe",stage="verify",le="0.001"} 2)"));
    EXPECT_TRUE(has(R"(webhook_stage_seconds_count{provider="stripe",stage="total"} 1)"));
}

TEST(StageTimes, OfTwoProvidersAreToldApart) {
    Metrics metrics;
    ProviderTimes times;
    times.of(stage_histograms(metrics, "stripe")).add(Stage::total, 1ms);
    times.of(stage_histograms(metrics, "adyen")).add(Stage::total, 1ms);
    times.of(stage_histograms(metrics, "stripe")).add(Stage::total, 2ms);  // another source, or a reload
    times.flush();
    const auto has = [text = metrics.exposition()](const std::string& line) { return text.contains(line); };
    EXPECT_TRUE(has(R"(webhook_stage_seconds_count{provider="stripe",stage="total"} 2)"));
    EXPECT_TRUE(has(R"(webhook_stage_seconds_count{provider="adyen",stage="total"} 1)"));
}

}  // namespace
}  // namespace sluice::ingress
