#include "ingress/request/request_spans.hpp"

#include <gtest/gtest.h>

#include "tests/unit/common/trace/told.hpp"

namespace sluice::ingress {
namespace {

using trace::Told;

constexpr std::string_view kept_by_caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

SteadyTime after(int ms) {
    return SteadyTime{Milliseconds{1000 + ms}};
}

RequestFacts facts_of(const trace::Context& context, Outcome outcome) {
    return {.trace = context,
            .outcome = outcome,
            .method = "POST",
            .route = "/v1/webhooks/stripe-eu",
            .source = "stripe-eu",
            .reason = {},
            .claim = "fresh",
            .answer = "HTTP/1.1 503 Service Unavailable\r\n",
            .whole = {after(0), after(30)},
            .claimed = {after(5), after(10)},
            .published = {after(10), after(29)}};
}

// The list that docs/tracing.md promises.
TEST(RequestSpans, ToldAlwaysIsWhatNobodyWantsToMiss) {
    Told told{0};
    const RequestSpans spans{told.tracer, {}};
    const auto is_told = [&](Outcome outcome) { return spans.wants(trace::continue_trace("", ""), outcome); };
    for (const Outcome outcome : {Outcome::quarantined, Outcome::too_large_for_topic, Outcome::not_acked,
                                  Outcome::shed, Outcome::unavailable})
        EXPECT_TRUE(is_told(outcome)) << name_of(outcome);
    for (const Outcome outcome :
         {Outcome::accepted, Outcome::duplicate, Outcome::refused_signature, Outcome::too_large})
        EXPECT_FALSE(is_told(outcome)) << name_of(outcome);
    EXPECT_TRUE(spans.wants(trace::continue_trace(kept_by_caller, ""), Outcome::accepted));
}

TEST(RequestSpans, WithoutACollectorNothingIsWanted) {
    trace::Tracer off;
    const RequestSpans spans{off, {}};
    EXPECT_FALSE(spans.wants(trace::continue_trace(kept_by_caller, ""), Outcome::unavailable));
}

TEST(RequestSpans, StepsLieInTheirRequestAsTimePassed) {
    Told told{0};
    config::KafkaSettings kafka;
    kafka.topic = "payments";
    RequestSpans spans{told.tracer, kafka};
    const trace::Context context = trace::continue_trace(kept_by_caller, "");
    spans.tell(facts_of(context, Outcome::not_acked), WallTime{std::chrono::seconds{100}});
    const auto found = told.spans();
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0]["name"], "POST /v1/webhooks/stripe-eu");
    EXPECT_EQ(found[0]["parentSpanId"], "00f067aa0ba902b7");
    EXPECT_EQ(found[0]["startTimeUnixNano"], "99970000000");
    EXPECT_EQ(found[0]["endTimeUnixNano"], "100000000000");
    EXPECT_EQ(Told::value_of(found[0], "http.response.status_code"), "503");
    EXPECT_EQ(Told::value_of(found[0], "error.type"), "not_acked");
    EXPECT_EQ(found[1]["startTimeUnixNano"], "99975000000");
    EXPECT_EQ(found[1]["endTimeUnixNano"], found[2]["startTimeUnixNano"]);
    EXPECT_EQ(found[2]["name"], "send payments");
    EXPECT_EQ(found[2]["spanId"], context.span_id()) << "what the record's traceparent names";
    for (const auto& span : {found[1], found[2]}) EXPECT_EQ(span["parentSpanId"], found[0]["spanId"]);
    for (const auto& span : found) EXPECT_EQ(span["traceId"], context.trace_id());
}

TEST(RequestSpans, AStepThatWasNotTakenIsNotTold) {
    Told told{1};
    RequestSpans spans{told.tracer, {}};
    const trace::Context context = trace::continue_trace("", "");
    RequestFacts facts = facts_of(context, Outcome::unavailable);
    facts.claimed = {};
    facts.published = {};
    spans.tell(facts, WallTime{});
    EXPECT_EQ(told.spans().size(), 1U);
}

}  // namespace
}  // namespace sluice::ingress
