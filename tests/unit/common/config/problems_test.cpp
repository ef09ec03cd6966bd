#include "common/config/problems.hpp"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(Problems, PlaceNamesFileAndLine) {
    EXPECT_EQ((Place{"sluice.yaml", 12, 3}.text()), "sluice.yaml:12");
    EXPECT_EQ((Place{"sluice.yaml"}.text()), "sluice.yaml");
}

TEST(Problems, ReportHoldsAllErrorsOneALine) {
    Problems problems;
    EXPECT_FALSE(problems.any());
    EXPECT_EQ(problems.report(), "");
    problems.add({"a.yaml", 2, 1}, "one");
    problems.add({"a.yaml", 7, 1}, "two");
    EXPECT_TRUE(problems.any());
    EXPECT_EQ(problems.report(), "a.yaml:2: one\na.yaml:7: two");
}

TEST(Problems, SaysTheSameThingOnce) {
    Problems problems;
    problems.add({"a.yaml", 2, 1}, "one");
    problems.add({"a.yaml", 2, 1}, "one");
    problems.add({"a.yaml", 3, 1}, "one");
    EXPECT_EQ(problems.errors().size(), 2U);
}

TEST(Problems, CountsWhatItDoesNotListAgain) {
    Problems problems;
    problems.add({"a.yaml", 2, 1}, "one");
    problems.add({"a.yaml", 2, 1}, "one");
    EXPECT_EQ(problems.count(), 2U);
}

TEST(Problems, ListsSoManyAndSaysThatThereAreMore) {
    Problems problems;
    for (int line = 1; line <= 1200; ++line) problems.add({"a.yaml", line, 1}, "one");
    ASSERT_EQ(problems.errors().size(), Problems::most_listed + 1);
    EXPECT_EQ(problems.errors()[999], "a.yaml:1000: one");
    EXPECT_EQ(problems.errors().back(), "a.yaml: and further problems that are not listed");
    EXPECT_EQ(problems.count(), 1200U);
}

TEST(Problems, WarningsRefuseNothing) {
    Problems problems;
    problems.warn({"a.yaml", 2, 1}, "odd");
    EXPECT_FALSE(problems.any());
    EXPECT_EQ(problems.warnings(), std::vector<std::string>{"a.yaml:2: odd"});
}

}  // namespace
}  // namespace sluice::config
