#include "consumer/lane/rules/budget.hpp"

#include <array>

#include <gtest/gtest.h>

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;

constexpr BudgetSettings twenty{.events = 20, .refill = 5min, .pause_after = 1000};

/// The main role in a process: events come, are applied or given up.
struct Process {
    Budget budget{twenty};
    SteadyTime now{1h};
    int dead = 0;
    int held = 0;

    void applies(std::string_view effect, int times = 1) {
        const std::array subjects{effect};
        for (int i = 0; i < times; ++i) budget.succeeded(subjects, now);
    }
    void gives_up(std::string_view effect, int times = 1) {
        for (int i = 0; i < times; ++i) {
            budget.failed(now);
            ++(budget.may_dead_letter(effect, now) ? dead : held);
        }
    }
    [[nodiscard]] Breaker::State state_of(std::string_view effect) const {
        for (const auto& subject : budget.spending(now)) {
            if (subject.name == effect) return subject.state;
        }
        return Breaker::State::closed;
    }
    [[nodiscard]] Breaker::State state() const { return budget.breaker().state(now); }
};

TEST(Budget, OnePoisonEventAmongHealthyOnesDiesAtOnce) {
    Process process;
    for (int i = 0; i < 500; ++i) {
        process.applies("credit", 9);
        process.gives_up("credit");
    }
    EXPECT_EQ(process.dead, 500);
    EXPECT_EQ(process.held, 0);
    process.applies("credit");
    EXPECT_TRUE(process.budget.spending(process.now).empty()) << "nothing is remembered of a whole budget";
}

TEST(Budget, AnEffectThatFailsForEverybodyKillsItsBudgetAndNoMore) {
    Process process;
    process.gives_up("credit", 900);
    EXPECT_EQ(process.dead, 20);
    EXPECT_EQ(process.held, 880);
    EXPECT_EQ(process.state_of("credit"), Breaker::State::open);
    process.now += 49min;
    process.gives_up("credit");
    EXPECT_EQ(process.dead, 20) << "time brings back a tenth as fast once it is used up";
    process.now += 2min;
    process.gives_up("credit", 5);
    EXPECT_EQ(process.dead, 21) << "but what no success can bring back is heard of";
}

TEST(Budget, OtherEffectsGoOn) {
    Process process;
    for (int i = 0; i < 5000; ++i) {
        process.gives_up("credit", 9);
        process.applies("notify");
    }
    EXPECT_EQ(process.dead, 20);
    EXPECT_EQ(process.state(), Breaker::State::closed);
    EXPECT_TRUE(process.budget.admits(process.now));
    process.gives_up("notify");
    EXPECT_EQ(process.dead, 21) << "a poison event of a healthy effect dies all the same";
}

TEST(Budget, ABrokenDeployPausesWithItsTopicUnread) {
    Process process;
    int run = 0;
    for (; run < 100'000 && process.budget.admits(process.now); ++run) {
        process.gives_up(std::array{"credit", "notify", "refund"}.at(static_cast<std::size_t>(run) % 3));
    }
    EXPECT_EQ(run, 1000);
    EXPECT_EQ(process.dead, 3 * 20);
    EXPECT_EQ(process.state(), Breaker::State::open);
}

TEST(Budget, WhilePausedNobodyDies) {
    Process process;
    process.gives_up("credit", 1000);
    ASSERT_EQ(process.state(), Breaker::State::open);
    EXPECT_FALSE(process.budget.may_dead_letter("notify", process.now));
    process.now += 1s;
    ASSERT_TRUE(process.budget.admits(process.now));
    EXPECT_FALSE(process.budget.may_dead_letter("notify", process.now)) << "nor does a probe";
}

TEST(Budget, AProbeThatSucceedsLetsEverythingGoOn) {
    Process process;
    process.gives_up("credit", 1000);
    process.now += 1s;
    ASSERT_TRUE(process.budget.admits(process.now));
    ASSERT_FALSE(process.budget.admits(process.now)) << "one at a time";
    process.gives_up("credit");
    EXPECT_FALSE(process.budget.admits(process.now + 1s)) << "it failed: the next wait is longer";
    process.now += 2s;
    ASSERT_TRUE(process.budget.admits(process.now));
    process.budget.told_nothing();
    ASSERT_TRUE(process.budget.admits(process.now)) << "the first was deferred";
    process.applies("notify");
    EXPECT_EQ(process.state(), Breaker::State::closed);
    EXPECT_EQ(process.state_of("credit"), Breaker::State::open) << "its own budget is no better for it";
    EXPECT_TRUE(process.budget.may_dead_letter("notify", process.now));
}

TEST(Budget, ASuccessOfTheEffectBringsOneBack) {
    Process process;
    process.gives_up("credit", 30);
    process.applies("credit");
    EXPECT_EQ(process.state_of("credit"), Breaker::State::half_open);
    process.gives_up("credit", 5);
    EXPECT_EQ(process.dead, 21);
    EXPECT_EQ(process.state_of("credit"), Breaker::State::open);
    process.applies("credit", 20);
    EXPECT_EQ(process.state_of("credit"), Breaker::State::closed);
    process.gives_up("credit", 30);
    EXPECT_EQ(process.dead, 41);
}

TEST(Budget, TimeRefillsWhatIsNotUsedUp) {
    Process process;
    process.gives_up("credit", 19);
    process.now += 4min;
    ASSERT_EQ(process.budget.spending(process.now).front().left, 1);
    process.now += 1min;
    EXPECT_EQ(process.budget.spending(process.now).front().left, 2);
    process.now += 24h;
    EXPECT_TRUE(process.budget.spending(process.now).empty());
    process.gives_up("credit", 30);
    EXPECT_EQ(process.dead, 19 + 20);
}

TEST(Budget, DeathsAreWithinBudgetTimeAndSuccesses) {
    Process process;
    int successes = 0;
    for (int minute = 0; minute < 10'000; ++minute, process.now += 1min) {
        process.gives_up("credit", minute % 7);
        if (minute % 11 == 0) process.applies("credit"), ++successes;
    }
    EXPECT_LE(process.dead, 20 + 10'000 / 5 + successes);
    EXPECT_GT(process.held, 0);
}

TEST(Budget, NoBudgetMeansThatEverythingMayDie) {
    Process process{.budget = Budget{{.events = 0, .pause_after = 0}}};
    process.gives_up("credit", 5000);
    EXPECT_EQ(process.dead, 5000);
}

TEST(Budget, RemembersAThousandSubjectsAndHoldsTheRestTogether) {
    Process process{.budget = Budget{{.pause_after = 0}}};
    for (int i = 0; i < 5000; ++i) process.gives_up("effect " + std::to_string(i));
    EXPECT_LE(process.budget.spending(process.now).size(), 1001U);
    EXPECT_EQ(process.dead, 1000 + 20);
    process.applies("effect 4999");
    process.gives_up("effect 4998");
    EXPECT_EQ(process.dead, 1000 + 21);
    process.now += 5min;
    process.gives_up("effect 4997");
    EXPECT_EQ(process.dead, 1000 + 22) << "those whose budget is whole again make room";
}

}  // namespace
}  // namespace sluice::lane
