#include "ctl/doctor/finding.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {

TEST(Finding, OnlyAFailureFails) {
    EXPECT_EQ(exit_of({{"a", Level::ok, ""}, {"b", Level::warn, ""}}), Exit::ok);
    EXPECT_EQ(exit_of({{"a", Level::fail, ""}, {"b", Level::ok, ""}}), Exit::no);
}

TEST(Finding, JsonAndTableSayTheSame) {
    const Findings findings{{"redis", Level::ok, "fine"}, {"mysql", Level::fail, "broken"}};
    EXPECT_EQ(to_json(findings)["healthy"], false);
    EXPECT_EQ(to_json(findings)["findings"][1]["level"], "fail");
    EXPECT_TRUE(to_people(findings).contains("mysql  FAIL   broken"));
    EXPECT_TRUE(to_people(findings).contains("1 ok, 0 warnings, 1 failed"));
}

TEST(Finding, OfAClockComparesBothWays) {
    const auto level = [](int seconds) {
        return judge_clock("c", WallTime{}, WallTime{std::chrono::seconds{seconds}}).level;
    };
    EXPECT_EQ(level(2), Level::ok);
    EXPECT_EQ(level(-3), Level::warn);
    EXPECT_EQ(level(61), Level::fail);
    EXPECT_EQ(level(-61), Level::fail);
}

TEST(Finding, EachProblemOfTheConfigurationIsAFinding) {
    config::Problems problems;
    EXPECT_EQ(judge_config("kafka", problems).front().level, Level::ok);
    problems.add({.file = "f", .line = 3}, "wrong");
    problems.warn({.file = "f", .line = 4}, "odd");
    const Findings findings = judge_config("kafka", problems);
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].level, Level::fail);
    EXPECT_TRUE(findings[0].sentence.contains("f:3"));
    EXPECT_EQ(findings[1].level, Level::warn);
    EXPECT_EQ(judge_config("kafka", problems, problems).front().level, Level::ok) << "said already";
}

}  // namespace sluice::ctl
