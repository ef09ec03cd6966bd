#include "ingress/connection/deadlines.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "ingress/connection/phases.hpp"

namespace sluice::connection {
namespace {

using namespace std::chrono_literals;

const SteadyTime start{std::chrono::hours{1}};

TEST(Deadline, PassesOnceAndNotBeforeItsTime) {
    Deadlines deadlines;
    int passed = 0;
    Deadline deadline{deadlines, [&] { ++passed; }};
    deadline.set(start + 5s);
    deadlines.sweep(start + 4999ms);
    EXPECT_EQ(passed, 0);
    EXPECT_FALSE(deadline.passed());
    deadlines.sweep(start + 5s);
    deadlines.sweep(start + 6s);
    EXPECT_EQ(passed, 1);
    EXPECT_TRUE(deadline.passed());
}

TEST(Deadline, ClearedOneNeverPasses) {
    Deadlines deadlines;
    int passed = 0;
    Deadline deadline{deadlines, [&] { ++passed; }};
    deadline.set(start);
    deadline.clear();
    deadlines.sweep(start + 1h);
    EXPECT_EQ(passed, 0);
}

TEST(Deadline, NextPhaseBeginsAnew) {
    Deadlines deadlines;
    Deadline deadline{deadlines, [] {}};
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
    deadline.emplace(deadlines, [] { FAIL(); });
    deadline->set(start);
    deadline.reset();
    deadlines.sweep(start + 1s);
    EXPECT_EQ(deadlines.size(), 0U);
}

TEST(Deadline, MaySetItselfAgainWhenItPasses) {
    Deadlines deadlines;
    int passed = 0;
    std::optional<Deadline> deadline;
    deadline.emplace(deadlines, [&] {
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

TEST(BodyDeadline, AsksForAKibibyteASecondAndTenSecondsAtMost) {
    EXPECT_EQ(body_deadline(start, 0), start + 2s);
    EXPECT_EQ(body_deadline(start, 2048), start + 4s);
    EXPECT_EQ(body_deadline(start, 8 * 1024), start + 10s);
    EXPECT_EQ(body_deadline(start, 99'999'999), start + 10s);
    EXPECT_EQ(body_deadline(start, std::nullopt), start + 10s);
}

}  // namespace
}  // namespace sluice::connection
