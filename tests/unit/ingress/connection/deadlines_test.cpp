#include "ingress/connection/deadlines.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace sluice::connection {
namespace {

using namespace std::chrono_literals;

const SteadyTime start{std::chrono::hours{1}};

TEST(Deadline, PassesAtItsTimeAndIsToldAgainUntilSomebodyReacts) {
    Deadlines deadlines;
    std::vector<bool> told;
    Deadline deadline{deadlines, [&](bool again) { told.push_back(again); }};
    deadline.set(start + 5s);
    deadlines.sweep(start + 4999ms);
    EXPECT_TRUE(told.empty());
    EXPECT_FALSE(deadline.passed());
    deadlines.sweep(start + 5s);
    deadlines.sweep(start + 6s);
    EXPECT_TRUE(deadline.passed());
    deadline.set(start + 7s);
    deadlines.sweep(start + 7s);
    deadline.clear();
    deadlines.sweep(start + 1h);
    EXPECT_EQ(told, (std::vector{false, true, false}));
}

TEST(Deadline, ClearedOneNeverPasses) {
    Deadlines deadlines;
    int passed = 0;
    Deadline deadline{deadlines, [&](bool) { ++passed; }};
    deadline.set(start);
    deadline.clear();
    deadlines.sweep(start + 1h);
    EXPECT_EQ(passed, 0);
}

TEST(Deadline, NextPhaseBeginsAnew) {
    Deadlines deadlines;
    Deadline deadline{deadlines, [](bool) {}};
    deadline.set(start);
    deadlines.sweep(start);
    ASSERT_TRUE(deadline.passed());
    deadline.set(start + 5s);
    EXPECT_FALSE(deadline.passed());
    deadlines.sweep(start + 4s);
    EXPECT_FALSE(deadline.passed());
}

TEST(Deadline, GoneOneIsForgotten) {
    Deadlines deadlines;
    std::optional<Deadline> deadline;
    deadline.emplace(deadlines, [](bool) { FAIL(); });
    deadline->set(start);
    deadline.reset();
    deadlines.sweep(start + 1s);
    EXPECT_EQ(deadlines.size(), 0U);
}

TEST(Deadline, MaySetItselfAgainWhenItPasses) {
    Deadlines deadlines;
    int passed = 0;
    std::optional<Deadline> deadline;
    deadline.emplace(deadlines, [&](bool) {
        ++passed;
        deadline->set(start + 10s);
    });
    deadline->set(start);
    deadlines.sweep(start + 1s);
    deadlines.sweep(start + 2s);
    EXPECT_EQ(passed, 1);
    deadlines.sweep(start + 10s);
    EXPECT_EQ(passed, 2);
}

}  // namespace
}  // namespace sluice::connection
