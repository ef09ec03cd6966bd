#include "common/failpoint_plan.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using Action = FailpointRule::Action;

TEST(FailpointPlan, ReadsEveryForm) {
    const auto rules = parse_failpoints(
        "ingress.after_claim=kill;consumer.before_commit=delay:200@2;x=error@p0.25;x=stop@3+");
    ASSERT_TRUE(rules.has_value());
    ASSERT_EQ(rules->size(), 4U);
    EXPECT_EQ((*rules)[0].name, "ingress.after_claim");
    EXPECT_EQ((*rules)[0].action, Action::kill);
    EXPECT_EQ((*rules)[1].action, Action::delay);
    EXPECT_EQ((*rules)[1].delay, std::chrono::milliseconds{200});
    EXPECT_EQ((*rules)[2].action, Action::error);
    EXPECT_EQ((*rules)[2].probability, 0.25);
    EXPECT_EQ((*rules)[3].name, "x");
    EXPECT_EQ((*rules)[3].action, Action::stop);
}

TEST(FailpointPlan, EmptyTextHasNoRules) {
    const auto rules = parse_failpoints("");
    ASSERT_TRUE(rules.has_value());
    EXPECT_TRUE(rules->empty());
}

TEST(FailpointPlan, RefusesAnythingElse) {
    for (const std::string_view text : {"x",
                                        "=kill",
                                        "x=",
                                        "x=die",
                                        "x=kill;",
                                        ";x=kill",
                                        "x=kill@",
                                        "x=kill@0",
                                        "x=kill@-1",
                                        "x=kill@1-",
                                        "x=kill@+",
                                        "x=error@p",
                                        "x=error@p1.5",
                                        "x=error@p-0.1",
                                        "x=error@pnan",
                                        "x=delay",
                                        "x=delay:",
                                        "x=delay:2s",
                                        "x=delay:-2",
                                        "x=kill:5",
                                        "X=kill",
                                        "a b=kill",
                                        "x=kill@1@2",
                                        "x=kill@99999999999999999999"}) {
        const auto rules = parse_failpoints(text);
        ASSERT_FALSE(rules.has_value()) << text;
        EXPECT_TRUE(rules.error().starts_with("SLUICE_FAILPOINTS: \"")) << rules.error();
    }
}

TEST(FailpointPlan, FiresOnTheHitsOfItsTrigger) {
    struct Case {
        std::string_view text;
        bool first, second, third;
    };
    for (const Case& one : {Case{"x=error", true, true, true}, Case{"x=error@2", false, true, false},
                            Case{"x=error@2+", false, true, true}, Case{"x=error@1", true, false, false}}) {
        const FailpointRule rule = parse_failpoints(one.text).value().front();
        EXPECT_EQ(rule.fires(1, 0.99), one.first) << one.text;
        EXPECT_EQ(rule.fires(2, 0.99), one.second) << one.text;
        EXPECT_EQ(rule.fires(3, 0.99), one.third) << one.text;
    }
}

TEST(FailpointPlan, FiresWithItsProbability) {
    const auto rule = [](std::string_view text) { return parse_failpoints(text).value().front(); };
    EXPECT_TRUE(rule("x=error@p0.25").fires(1, 0.2499));
    EXPECT_FALSE(rule("x=error@p0.25").fires(1, 0.25));
    EXPECT_FALSE(rule("x=error@p0").fires(1, 0.0));
    EXPECT_TRUE(rule("x=error@p1").fires(7, 0.9999));
}

}  // namespace
}  // namespace sluice
