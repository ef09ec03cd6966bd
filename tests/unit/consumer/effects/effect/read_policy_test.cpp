#include "consumer/effects/effect/read_policy.hpp"

#include <gtest/gtest.h>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

using namespace std::chrono_literals;

/// One effect of each kind, with `policy` among its keys.
auto read_both(const std::string& policy) {
    return read_with("effects:\n  - name: plain\n    when: {type: a}\n    sql: [{run: DELETE FROM t}]\n" +
                         policy + "  - name: set\n    when: {type: a}\n" + policy +
                         "    insert: {table: t, row: {event: ':event_id'}}\n",
                     [](const config::Document& document, config::Problems& problems) {
                         return EffectSet::read(document, sources(), problems);
                     });
}

std::string report_of(const std::string& policy) {
    return read_both("    " + policy + "\n").report;
}

TEST(ReadPolicy, AllKeysCountForEveryKind) {
    const auto [set, report] = read_both(
        "    retry: {attempts: 7, horizon: 2h}\n    defer: {for: 90s}\n    while_deferred: hold\n"
        "    after_dead: skip_superseded\n    after_case: pass\n");
    EXPECT_EQ(report, "");
    ASSERT_EQ(set.size(), 2U);
    for (const auto& effect : set.all()) {
        EXPECT_EQ(effect->policy().attempts, 7) << effect->name();
        EXPECT_EQ(effect->policy().horizon, 2h) << effect->name();
        EXPECT_EQ(effect->policy().defer_for, 90s) << effect->name();
        EXPECT_TRUE(effect->policy().hold_while_deferred) << effect->name();
        EXPECT_TRUE(effect->policy().skip_superseded) << effect->name();
        EXPECT_TRUE(effect->policy().pass_after_case) << effect->name();
    }
}

TEST(ReadPolicy, WhatIsNotGivenIsTheStandard) {
    const auto [set, report] = read_both("    while_deferred: pass\n    after_dead: hold\n    retry: {}\n");
    EXPECT_EQ(report, "");
    ASSERT_EQ(set.size(), 2U);
    const auto& policy = set.all().front()->policy();
    EXPECT_EQ(policy.attempts, 0);
    EXPECT_EQ(policy.horizon, 24h);
    EXPECT_EQ(policy.defer_for, 24h);
    EXPECT_FALSE(policy.hold_while_deferred);
    EXPECT_FALSE(policy.skip_superseded);
}

TEST(ReadPolicy, TheTimeOfARunIsFiveSecondsUnlessTold) {
    const auto [told, report] = read_both("    within: 250ms\n");
    EXPECT_EQ(report, "");
    for (const auto& effect : told.all()) EXPECT_EQ(effect->within(), 250ms) << effect->name();
    EXPECT_EQ(told.longest_within(), 250ms);
    EXPECT_EQ(read_both("").value.longest_within(), 5s);
    EXPECT_EQ(report_of("within: 100ms"), "");
    EXPECT_EQ(report_of("within: 5m"), "");
}

TEST(ReadPolicy, BoundsAreTaken) {
    EXPECT_EQ(report_of("retry: {attempts: 0, horizon: 1s}"), "");
    EXPECT_EQ(report_of("retry: {attempts: 1000, horizon: 30d}"), "");
    EXPECT_EQ(report_of("defer: {for: 1s}"), "");
    EXPECT_EQ(report_of("defer: {for: 30d}"), "");
}

TEST(ReadPolicy, MistakesNameTheirLine) {
    for (const auto& [policy, says] : std::vector<std::pair<std::string, std::string>>{
             {"retry: {attempts: -1}", "retry.attempts must be a whole number from 0 to 1000"},
             {"retry: {attempts: 1001}", "retry.attempts must"},
             {"retry: {horizon: 999ms}", "retry.horizon must be a duration from 1s to 30d"},
             {"within: 99ms", "within must be a duration from 100ms to 5m"},
             {"within: 301s", "within must"},
             {"retry: {horizon: 31d}", "retry.horizon must"},
             {"retry: {atempts: 3}", "did you mean \"attempts\"?"},
             {"retry: 5", "retry must be a mapping"},
             {"defer: {for: 0s}", "defer.for must be a duration from 1s to 30d"},
             {"defer: {hold: true}", "hold is not a known key"},
             {"while_deferred: wait", "while_deferred must be one of hold, pass"},
             {"after_dead: skip", "after_dead must be one of hold, skip_superseded"},
             {"after_case: go", "after_case must be one of hold, pass"}}) {
        const auto report = report_of(policy);
        EXPECT_TRUE(report.contains("test.yaml:5: ")) << policy << "\n" << report;
        EXPECT_TRUE(report.contains(says)) << policy << "\n" << report;
    }
}

TEST(EffectSet, FindsByName) {
    const auto [set, report] = read_both("");
    EXPECT_EQ(report, "");
    ASSERT_NE(set.find("set"), nullptr);
    EXPECT_EQ(set.find("set")->name(), "set");
    EXPECT_EQ(set.find("plain"), set.all().front().get());
    EXPECT_EQ(set.find("gone"), nullptr);
    EXPECT_EQ(set.find(""), nullptr);
}

}  // namespace
}  // namespace sluice::effects
