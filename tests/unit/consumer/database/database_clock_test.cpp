#include "consumer/database/database_clock.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

/// A machine whose clocks a test moves.
struct Machine final : Clock {
    [[nodiscard]] WallTime wall() const override { return wall_now; }
    [[nodiscard]] SteadyTime steady() const override { return steady_now; }

    WallTime wall_now{1000h};
    SteadyTime steady_now{1h};
};

TEST(DatabaseClock, IsTheMachinesUntilMySqlWasAsked) {
    const Machine machine;
    const DatabaseClock clock{machine};
    EXPECT_EQ(clock.wall(), machine.wall_now);
    EXPECT_EQ(clock.steady(), machine.steady_now);
}

TEST(DatabaseClock, GoesOnFromMySqlsWhateverTheMachinesWallClockDoes) {
    Machine machine;
    DatabaseClock clock{machine};
    clock.set(WallTime{900h}, machine.steady_now);
    machine.steady_now += 5s;
    machine.wall_now += 2h;
    EXPECT_EQ(clock.wall(), WallTime{900h + 5s});
}

TEST(DatabaseClock, FollowsMySqlsWithEachLook) {
    Machine machine;
    DatabaseClock clock{machine};
    clock.set(WallTime{900h}, machine.steady_now);
    clock.set(WallTime{800h}, machine.steady_now);
    EXPECT_EQ(clock.wall(), WallTime{800h}) << "another server, after a fail-over";
}

}  // namespace
}  // namespace sluice::consumer
