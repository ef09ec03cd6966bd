#include "consumer/group/backpressure.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

TEST(Backpressure, PausesAboveItsMostAndResumesFarBelow) {
    Backpressure backpressure{1000};
    EXPECT_EQ(backpressure.look(1000, false), Backpressure::Step::none);
    EXPECT_EQ(backpressure.look(1001, false), Backpressure::Step::pause);
    EXPECT_EQ(backpressure.look(1001, false), Backpressure::Step::none);
    EXPECT_EQ(backpressure.look(250, false), Backpressure::Step::none);
    EXPECT_EQ(backpressure.look(249, false), Backpressure::Step::resume);
}

TEST(Backpressure, PausesWhileNobodyCanWork) {
    Backpressure backpressure{1000};
    EXPECT_EQ(backpressure.look(0, true), Backpressure::Step::pause);
    EXPECT_EQ(backpressure.look(0, true), Backpressure::Step::none);
    EXPECT_EQ(backpressure.look(0, false), Backpressure::Step::resume);
}

TEST(Backpressure, ANewAssignmentIsNotPaused) {
    Backpressure backpressure{1000};
    (void)backpressure.look(0, true);
    backpressure.reassigned();
    EXPECT_EQ(backpressure.look(0, true), Backpressure::Step::pause);
}

}  // namespace
}  // namespace sluice::consumer
