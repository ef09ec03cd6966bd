#include "consumer/apply/lock_patience.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime start{1h};

TEST(LockPatience, IsASecondForWhomeverComesFirst) {
    EXPECT_EQ(LockPatience{}.wait(start), 1s);
}

TEST(LockPatience, IsShortOnceSomebodyHasWaitedInVain) {
    LockPatience patience;
    patience.waited_in_vain(start);
    EXPECT_EQ(patience.wait(start), 100ms);
    EXPECT_EQ(patience.wait(start + 60s - 1ms), 100ms);
}

/// How long waits are short after one that is lost at `now`.
std::chrono::seconds short_after_loss(LockPatience& patience, SteadyTime now) {
    (void)patience.wait(now);
    patience.waited_in_vain(now);
    std::chrono::seconds passed{0};
    while (patience.wait(now + passed) == 100ms) ++passed;
    return passed;
}

TEST(LockPatience, ComesBackLaterEachTimeWhileTheLockLasts) {
    LockPatience patience;
    EXPECT_EQ(short_after_loss(patience, start), 60s);
    EXPECT_EQ(short_after_loss(patience, start + 61s), 360s);
    EXPECT_EQ(short_after_loss(patience, start + 422s), 600s);
    EXPECT_EQ(short_after_loss(patience, start + 1023s), 600s);
}

TEST(LockPatience, CountsAWaitThatIsToldTwiceOnce) {
    LockPatience patience;
    patience.waited_in_vain(start);
    patience.waited_in_vain(start + 1ms);
    EXPECT_EQ(patience.wait(start + 60s), 1s);
}

TEST(LockPatience, TakesALockMuchLaterForAnother) {
    LockPatience patience;
    EXPECT_EQ(short_after_loss(patience, start), 60s);
    EXPECT_EQ(short_after_loss(patience, start + 120s), 60s);
}

TEST(LockPatience, IsNotShortForLongerBecauseOfShortWaits) {
    LockPatience patience;
    patience.waited_in_vain(start);
    for (auto now = start; now < start + 60s; now += 100ms) {
        EXPECT_EQ(patience.wait(now), 100ms);
        patience.waited_in_vain(now + 150ms);  // the last one of them ends when the minute is over
    }
    EXPECT_EQ(patience.wait(start + 60s), 1s);
}

}  // namespace
}  // namespace sluice::consumer
