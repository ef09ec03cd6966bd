#include "poller/run/account.hpp"

#include <gtest/gtest.h>

#include "poller/telemetry/walk_metrics.hpp"

namespace sluice::poller {
namespace {

class StoppedClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override { return {}; }
    [[nodiscard]] SteadyTime steady() const override { return now; }
    SteadyTime now{std::chrono::hours{1}};
};

TEST(Account, GivesASecondsRequestsAtOnceAndThenOneAtATime) {
    StoppedClock clock;
    Metrics metrics;
    Account account{3, clock, budget_left(metrics, "list")};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(account.take(), Milliseconds{0});
    const auto wait = account.take();
    EXPECT_GT(wait, Milliseconds{0});
    clock.now += wait;
    EXPECT_EQ(account.take(), Milliseconds{0});
}

TEST(Account, WaitsForItsTurnAsLongAsThatGoesOn) {
    StoppedClock clock;
    Metrics metrics;
    Account account{1, clock, budget_left(metrics, "list")};
    const auto pass_time = [&](Milliseconds wait) {
        clock.now += wait;
        return true;
    };
    EXPECT_TRUE(account.take_in_turn(pass_time));
    EXPECT_TRUE(account.take_in_turn(pass_time));
    EXPECT_FALSE(account.take_in_turn([](Milliseconds /*wait*/) { return false; }));
}

TEST(Account, LetsNobodyAskInAPause) {
    StoppedClock clock;
    Metrics metrics;
    Gauge& left = budget_left(metrics, "list");
    Account account{3, clock, left};
    account.limited(std::chrono::seconds{30});
    EXPECT_EQ(account.take(), std::chrono::seconds{30});
    EXPECT_EQ(left.Value(), 0);
}

}  // namespace
}  // namespace sluice::poller
