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
    EXPECT_EQ(patience.wait(start + 10s - 1ms), 100ms);
}

TEST(LockPatience, ComesBack) {
    LockPatience patience;
    patience.waited_in_vain(start);
    EXPECT_EQ(patience.wait(start + 10s), 1s);
    patience.waited_in_vain(start + 10s);
    EXPECT_EQ(patience.wait(start + 15s), 100ms);
}

TEST(LockPatience, IsNotShortForLongerBecauseOfShortWaits) {
    LockPatience patience;
    patience.waited_in_vain(start);
    for (auto now = start; now < start + 10s; now += 100ms) {
        EXPECT_EQ(patience.wait(now), 100ms);
        patience.waited_in_vain(now + 150ms);  // the last one of them ends when the ten seconds are over
    }
    EXPECT_EQ(patience.wait(start + 10s), 1s);
}

}  // namespace
}  // namespace sluice::consumer
