#include "command/hot/account_rates.hpp"

#include <gtest/gtest.h>

#include <format>

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

const SteadyTime start_of_rates{1000s};

/// So many commands a second of one account, evenly, from `from` on: whether it was hot at the end.
bool run(AccountRates& rates, const std::string& account, int a_second, SteadyTime from,
         std::chrono::seconds time) {
    bool is_hot = false;
    const auto step = SteadyTime::duration{1s} / a_second;
    for (int i = 0; i < a_second * time.count(); ++i) is_hot = rates.count(account, from + i * step);
    return is_hot;
}

TEST(AccountRates, ABusyAccountIsHot) {
    AccountRates rates{50, 10};
    EXPECT_FALSE(run(rates, "m1", 49, start_of_rates, 60s));
    EXPECT_EQ(rates.hot(start_of_rates + 60s), 0U);
    EXPECT_TRUE(run(rates, "m2", 55, start_of_rates, 30s));
    EXPECT_FALSE(rates.count("m1", start_of_rates + 30s));
}

TEST(AccountRates, AFloodIsSeenWithinASecond) {
    AccountRates rates{50, 10};
    EXPECT_TRUE(run(rates, "m1", 1000, start_of_rates, 1s));
    EXPECT_EQ(rates.hot(start_of_rates + 1s), 1U);
}

TEST(AccountRates, StaysHotUntilItIsBelowTheLowerBound) {
    AccountRates rates{50, 10};
    EXPECT_TRUE(run(rates, "m1", 100, start_of_rates, 20s));
    EXPECT_TRUE(run(rates, "m1", 12, start_of_rates + 20s, 60s)) << "between the bounds";
    EXPECT_FALSE(run(rates, "m1", 8, start_of_rates + 80s, 30s));
    EXPECT_FALSE(run(rates, "m1", 40, start_of_rates + 110s, 60s)) << "between the bounds, from below";
}

TEST(AccountRates, SilenceCoolsDown) {
    AccountRates rates{50, 10};
    EXPECT_TRUE(run(rates, "m1", 1000, start_of_rates, 5s));
    EXPECT_EQ(rates.hot(start_of_rates + 60s), 0U);
    EXPECT_FALSE(rates.count("m1", start_of_rates + 60s));
}

TEST(AccountRates, ManySmallAccountsNeitherGetHotNorHideOneThatIs) {
    AccountRates rates{50, 10};
    bool is_hot = false;
    for (int i = 0; i < 600'000; ++i) {
        const auto now = start_of_rates + i * 50us;
        EXPECT_FALSE(rates.count(std::format("small-{}", i % 150'000), now));
        if (i % 100 == 0) is_hot = rates.count("big", now);  // 200 a second
    }
    EXPECT_TRUE(is_hot);
    EXPECT_EQ(rates.hot(start_of_rates + 30s), 1U);
}

}  // namespace
}  // namespace sluice::command
