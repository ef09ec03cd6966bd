#include "command/hot/hot_accounts.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

TEST(HotAccounts, AListHasAnAccountOnEachLine) {
    EXPECT_EQ(accounts_in("m1\n# the big ones\n\n  m2 \r\nm 3"), (AccountList{"m1", "m2", "m 3"}));
    EXPECT_TRUE(accounts_in("").empty());
    EXPECT_FALSE(read_accounts("/nowhere/at/all"));
}

TEST(HotAccounts, WhatIsListedIsHotUntilTheListChanges) {
    HotAccounts accounts{Hot{.list = "somewhere"}};
    EXPECT_FALSE(accounts.count("m1", SteadyTime{1s}));
    accounts.list({"m1"});
    EXPECT_TRUE(accounts.count("m1", SteadyTime{1s}));
    EXPECT_FALSE(accounts.count("m2", SteadyTime{1s}));
    EXPECT_EQ(accounts.listed(), 1U);
    accounts.list({"m2"});
    EXPECT_FALSE(accounts.count("m1", SteadyTime{1s}));
}

TEST(HotAccounts, OthersAreHotByTheirRate) {
    HotAccounts accounts{Hot{.above = 1, .back_below = 0.5}};
    accounts.list({"m1"});
    for (int i = 0; i < 10; ++i) (void)accounts.count("m2", SteadyTime{20s});
    EXPECT_TRUE(accounts.count("m2", SteadyTime{20s}));
    EXPECT_EQ(accounts.promoted(SteadyTime{20s}), 1U);
}

TEST(HotAccounts, WithoutARateOnlyTheListCounts) {
    HotAccounts accounts{Hot{.list = "somewhere"}};
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(accounts.count("m2", SteadyTime{20s}));
}

}  // namespace
}  // namespace sluice::command
