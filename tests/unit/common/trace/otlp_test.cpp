#include "common/trace/otlp.hpp"

#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "common/trace/conventions.hpp"

namespace sluice::trace {
namespace {

using nlohmann::json;

constexpr std::string_view some_trace = "4bf92f3577b34da6a3ce929d0e0e4736";
constexpr std::string_view some_span = "00f067aa0ba902b7";
constexpr std::string_view other_span = "53995c3f42cd8ad8";

json written(const Span& span) {
    std::string text;
    append_otlp_span(text, span);
    return json::parse(text);
}

TEST(Otlp, WritesASpanAsItsJsonEncodingSays) {
    const json span = written({.name = "send payments",
                               .kind = Kind::producer,
                               .self = {some_trace, some_span},
                               .parent_id = other_span,
                               .sampled = true,
                               .began = WallTime{std::chrono::microseconds{1'700'000'000'000'001}},
                               .ended = WallTime{std::chrono::microseconds{1'700'000'000'000'900}},
                               .attributes = {{key::messaging_system, "kafka"},
                                              {key::messaging_offset, std::int64_t{0}},
                                              {key::messaging_batch, {}},
                                              {key::reason, ""}}});
    EXPECT_EQ(span, json::parse(R"({
        "traceId": "4bf92f3577b34da6a3ce929d0e0e4736", "spanId": "00f067aa0ba902b7",
        "parentSpanId": "53995c3f42cd8ad8", "flags": 1, "name": "send payments", "kind": 4,
        "startTimeUnixNano": "1700000000000001000", "endTimeUnixNano": "1700000000000900000",
        "attributes": [{"key": "messaging.system", "value": {"stringValue": "kafka"}},
                       {"key": "messaging.kafka.offset", "value": {"intValue": "0"}}]})"));
}

TEST(Otlp, SaysWhatWentWrong) {
    const json span =
        written({.name = "x", .self = {some_trace, some_span}, .error = "not_acked", .attributes = {}});
    EXPECT_EQ(span["status"]["code"], 2);
    EXPECT_EQ(span["attributes"][0]["key"], "error.type");
    EXPECT_EQ(span["attributes"][0]["value"]["stringValue"], "not_acked");
    EXPECT_EQ(span["flags"], 0);
    EXPECT_FALSE(span.contains("parentSpanId"));
}

TEST(Otlp, LinksAreBounded) {
    const std::vector<SpanName> links(100, SpanName{some_trace, other_span});
    const json span = written({.name = "x", .self = {some_trace, some_span}, .links = links});
    EXPECT_EQ(span["links"].size(), 64U);
    EXPECT_EQ(span["links"][63]["spanId"], other_span);
}

TEST(Otlp, StaysJsonWhateverIsInIt) {
    const std::string hostile = "\"},{\"\\\n\x00\xFF\x1B[2J" + std::string(1000, '"');
    const json span = written({.name = hostile,
                               .self = {some_trace, some_span},
                               .error = hostile,
                               .attributes = {{key::event_id, hostile}, {key::event_type, hostile}}});
    EXPECT_EQ(span["attributes"].size(), 3U);
    EXPECT_LT(span.dump().size(), 4096U);
}

TEST(Otlp, ARequestSaysWhoSends) {
    std::string spans;
    append_otlp_span(spans, {.name = "a", .self = {some_trace, some_span}});
    spans += ',';
    append_otlp_span(spans, {.name = "b", .self = {some_trace, other_span}});
    const json request = json::parse(otlp_request({"sluice-ingress", "0.1.0", "0123456789abcdef"}, spans));
    const json& sender = request["resourceSpans"][0];
    EXPECT_EQ(sender["resource"]["attributes"][0]["value"]["stringValue"], "sluice-ingress");
    EXPECT_EQ(sender["resource"]["attributes"].size(), 3U);
    EXPECT_EQ(sender["schemaUrl"], schema_url);
    EXPECT_EQ(sender["scopeSpans"][0]["spans"][1]["name"], "b");
}

}  // namespace
}  // namespace sluice::trace
