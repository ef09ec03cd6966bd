#include "consumer/group/intake.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

TEST(Intake, PausesAboveItsMostAndResumesFarBelow) {
    Intake intake{1000};
    EXPECT_EQ(intake.look(1000, false), Intake::Step::none);
    EXPECT_EQ(intake.look(1001, false), Intake::Step::pause);
    EXPECT_EQ(intake.look(1001, false), Intake::Step::none);
    EXPECT_EQ(intake.look(250, false), Intake::Step::none);
    EXPECT_EQ(intake.look(249, false), Intake::Step::resume);
}

TEST(Intake, PausesWhileNobodyCanWork) {
    Intake intake{1000};
    EXPECT_EQ(intake.look(0, true), Intake::Step::pause);
    EXPECT_EQ(intake.look(0, true), Intake::Step::none);
    EXPECT_EQ(intake.look(0, false), Intake::Step::resume);
}

TEST(Intake, ANewAssignmentIsNotPaused) {
    Intake intake{1000};
    (void)intake.look(0, true);
    intake.reassigned();
    EXPECT_EQ(intake.look(0, true), Intake::Step::pause);
}

}  // namespace
}  // namespace sluice::consumer
