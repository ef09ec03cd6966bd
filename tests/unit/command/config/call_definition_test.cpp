#include <gtest/gtest.h>

#include "tests/unit/command/configuration.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

ReadCommands with_call(const std::string& call, const std::string& more = "") {
    return read_commands("commands:\n  - name: refund\n    keep: 48h\n" + more + "    call: " + call + "\n");
}

std::string call_report(const std::string& call, const std::string& more = "") {
    return with_call(call, more).report;
}

TEST(CallDefinition, IsReadWithItsDefaults) {
    const auto [set, report] = with_call(R"({url: "http://refunds/v1/refunds"})");
    ASSERT_EQ(report, "");
    const Definition& refund = *set.find("refund");
    EXPECT_EQ(refund.keep, 48h);
    EXPECT_EQ(refund.effect, nullptr);
    EXPECT_EQ(refund.call->within, 5s);
    EXPECT_EQ(refund.call->lease, 30s);
    EXPECT_EQ(refund.call->record, CallDefinition::Record::mysql);
    EXPECT_EQ(refund.call->not_executed, std::vector{429});
    EXPECT_EQ(refund.call->unknown, (std::vector{408, 425}));
    EXPECT_FALSE(refund.call->query);
}

TEST(CallDefinition, ListsOfStatusesDropNoneThatAlwaysMeansTheSame) {
    const auto [set, report] = with_call(R"({url: "http://r/v1", not_executed: [503], unknown: [409]})");
    ASSERT_EQ(report, "");
    EXPECT_EQ(set.find("refund")->call->not_executed, (std::vector{503, 429}));
    EXPECT_EQ(set.find("refund")->call->unknown, (std::vector{409, 408, 425}));
}

TEST(CallDefinition, AQueryNamesItsStatuses) {
    const auto [set, report] = with_call(
        R"({url: "http://r/v1", within: 2s, lease: 7s, record: redis, not_executed: [429, 503], query: {url: "http://r/v1/:key", found: [200, 201], absent: 404}})");
    ASSERT_EQ(report, "");
    const CallDefinition& call = *set.find("refund")->call;
    EXPECT_EQ(call.record, CallDefinition::Record::redis);
    EXPECT_EQ(call.not_executed, (std::vector{429, 503}));
    EXPECT_EQ(call.query->found, (std::vector{200, 201}));
    EXPECT_EQ(call.query->absent, std::vector{404});
}

TEST(CallDefinition, WhatCannotBeIsRefused) {
    EXPECT_TRUE(call_report("{url: ftp://r}").contains("url must begin with"));
    EXPECT_TRUE(call_report("{}").contains("url"));
    EXPECT_TRUE(call_report(R"({url: "http://r", query: {url: "http://r/1"}})").contains("must have :key"));
    EXPECT_TRUE(call_report(R"({url: "http://r", query: {url: "http://r/:key", absent: [200]}})")
                    .contains("is in found as well"));
    EXPECT_TRUE(call_report(R"({url: "http://r", not_executed: [200]})").contains("below 300"));
    for (const auto* both : {"not_executed: [425]", "unknown: [429]", "not_executed: [409], unknown: [409]"})
        EXPECT_TRUE(call_report(std::string{R"({url: "http://r", )"} + both + "}").contains("cannot be both"))
            << both;
    EXPECT_TRUE(call_report(R"({url: "http://r", not_executed: [99]})").contains("is no status"));
    EXPECT_TRUE(call_report(R"({url: "http://r", lease: 6s, within: 5s})").contains("lease"))
        << "the lease outlasts the request";
}

TEST(CallDefinition, OnlyAnAnswerOfTheServiceSaysWhatBecameOfIt) {
    const auto query = [](const std::string& words) {
        return call_report(R"({url: "http://r", query: {url: "http://r/:key", )" + words + "}}");
    };
    for (const auto* key : {"found", "absent"}) {
        for (const auto* status : {"302", "408", "425", "429", "500", "502"})
            EXPECT_TRUE(query(std::string{key} + ": [" + status + "]").contains("cannot say that"))
                << key << " " << status;
        EXPECT_TRUE(query(std::string{key} + ": []").contains("never tell")) << key;
    }
    EXPECT_EQ(query("found: [200, 409], absent: [204, 404, 410]"), "");
    EXPECT_TRUE(query("found: [404]").contains("is in found as well"))
        << "absent has it where it is not given";
}

TEST(CallDefinition, WhatTheServiceJudgesIsNotForTheCommand) {
    EXPECT_TRUE(
        call_report(R"({url: "http://r"})", "    parameters: {a: {at: /a}}\n").contains("parameters"));
    EXPECT_TRUE(call_report(R"({url: "http://r"})", "    answers: {done: {body: {}}}\n").contains("answers"));
}

}  // namespace
}  // namespace sluice::command
