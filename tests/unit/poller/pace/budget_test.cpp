#include <chrono>

#include <gtest/gtest.h>

#include "poller/pace/budget.hpp"

namespace sluice::poller {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class BudgetTest : public testing::Test {
protected:
    /// So many requests leave as soon as they may.
    void spend(int requests) {
        for (; requests > 0; --requests) {
            now += budget.wait(now);
            budget.spent(now);
        }
    }
    [[nodiscard]] milliseconds wait() const { return budget.wait(now); }

    Budget budget{10, 5};
    SteadyTime now = SteadyTime{} + hours{5};
};

TEST_F(BudgetTest, LetsABurstGoAndThenItsRate) {
    const SteadyTime begin = now;
    spend(5);
    EXPECT_EQ(now, begin);
    EXPECT_EQ(wait(), milliseconds{100});
    spend(20);
    EXPECT_GE(now - begin, seconds{2});
    EXPECT_LT(now - begin, milliseconds{2030});
}

TEST_F(BudgetTest, GathersNoMoreThanABurst) {
    spend(5);
    now += hours{1};
    EXPECT_DOUBLE_EQ(budget.left(now), 5);
    spend(5);
    EXPECT_GT(wait(), milliseconds{0});
}

TEST_F(BudgetTest, TakesOneRequestInManySeconds) {
    budget = Budget{0.1, 1};
    spend(1);
    EXPECT_EQ(wait(), seconds{10});
}

TEST_F(BudgetTest, IsSilentForAsLongAsTheProviderSays) {
    budget.limited(now, seconds{60});
    EXPECT_EQ(wait(), seconds{60});
    EXPECT_DOUBLE_EQ(budget.left(now), 0);
    now += seconds{60};
    EXPECT_EQ(wait(), milliseconds{0}) << "one may see";
    spend(1);
    EXPECT_EQ(wait(), milliseconds{100}) << "and the bucket is empty";
}

TEST_F(BudgetTest, TakesTheProvidersWordWithinReason) {
    budget.limited(now, milliseconds{0});
    EXPECT_EQ(wait(), seconds{1});
    budget.limited(now, hours{1000});
    EXPECT_EQ(wait(), hours{1});
    budget.limited(now, seconds{5});
    EXPECT_EQ(wait(), hours{1}) << "a shorter pause ends no longer one";
}

TEST_F(BudgetTest, DoublesItsPausesWhereTheProviderSaysNothing) {
    for (const int pause : {2, 4, 8, 16}) {
        budget.limited(now, std::nullopt);
        EXPECT_EQ(wait(), seconds{pause});
        now += seconds{pause} + milliseconds{500};
    }
    for (int more = 0; more < 20; ++more) {
        budget.limited(now, std::nullopt);
        now += wait();
    }
    budget.limited(now, std::nullopt);
    EXPECT_EQ(wait(), hours{1});
}

TEST_F(BudgetTest, CountsTheRequestsOfOneBurstAsOne) {
    budget.limited(now, std::nullopt);
    budget.limited(now + milliseconds{30}, std::nullopt);
    EXPECT_EQ(wait(), seconds{2});
}

TEST_F(BudgetTest, BeginsAnewAfterAQuietTime) {
    budget.limited(now, std::nullopt);
    now += minutes{1};
    budget.limited(now, std::nullopt);
    EXPECT_EQ(wait(), seconds{2});
}

}  // namespace
}  // namespace sluice::poller
