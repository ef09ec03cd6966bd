#include "consumer/lane/rules/lane.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/lane/rules/lanes.hpp"

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;

TEST(Lane, OnlyWhatIsNotDeferredHolds) {
    EXPECT_EQ(head_of(lane_of({})), nullptr);
    EXPECT_EQ(head_of(lane_of({deferred(1), deferred(2)})), nullptr);
    EXPECT_EQ(head_of(lane_of({deferred(1), parked(2)}))->position, 2);
    EXPECT_EQ(head_of(lane_of({dead(1)}))->position, 1);
}

TEST(Lane, IsDueWithTheFirstRowThatIs) {
    EXPECT_EQ(next_due(lane_of({deferred(1, 30s), retried(2, 5s)}), now), now + 5s);
    EXPECT_EQ(next_due(lane_of({deferred(1, 5s), retried(2, 30s)}), now), now + 5s);
}

TEST(Lane, AParkedHeadCouldRunNow) {
    EXPECT_EQ(next_due(lane_of({deferred(1, 30s), parked(2)}), now), now);
}

TEST(Lane, ADeadHeadWaitsForNoTimeButThoseBeforeItDo) {
    EXPECT_EQ(next_due(lane_of({dead(1)}), now), std::nullopt);
    EXPECT_EQ(next_due(lane_of({deferred(1, 5s), dead(2)}), now), now + 5s);
}

TEST(Lane, ARowOfANewerReleaseHoldsThoseBehindItAndWaitsForNoTimeOfOurs) {
    const Lane lane = lane_of({deferred(1, 5s), waiting(2, Status::newer, 0s)});
    EXPECT_TRUE(has_newer(lane));
    EXPECT_FALSE(has_newer(lane_of({deferred(1), dead(2)})));
    EXPECT_EQ(head_of(lane)->position, 2);
    EXPECT_EQ(next_due(lane, now), now + 5s);
    EXPECT_EQ(next_due(lane_of({waiting(1, Status::newer, 0s)}), now), std::nullopt);
    EXPECT_EQ(name_of(state_of(lane)), "waiting");
}

TEST(Lane, AnOpenOneWaitsForNothing) {
    EXPECT_EQ(next_due(lane_of({}), now), std::nullopt);
}

TEST(Lane, TellsPeopleWhatItDoes) {
    EXPECT_EQ(name_of(state_of(lane_of({}))), "open");
    EXPECT_EQ(name_of(state_of(lane_of({deferred(1)}))), "deferring");
    EXPECT_EQ(name_of(state_of(lane_of({retried(1)}))), "waiting");
    EXPECT_EQ(name_of(state_of(lane_of({deferred(1), parked(2)}))), "draining");
    EXPECT_EQ(name_of(state_of(lane_of({dead(1)}))), "quarantined");
}

TEST(Lane, StatusesAreReadAsTheyAreWritten) {
    for (const Status status : {Status::deferred, Status::retry, Status::dead, Status::parked}) {
        EXPECT_EQ(status_from(name_of(status)), status);
    }
    EXPECT_EQ(status_from("done"), std::nullopt) << "a finished event has no row";
}

TEST(Wakeup, ArmingMakesANewGenerationThatIsOwed) {
    EXPECT_EQ(armed({.gen = 7, .due = {}, .sent = true}, now), (Wakeup{.gen = 8, .due = now, .sent = false}));
}

TEST(Wakeup, AtRestItOwesNothingAndKeepsItsGeneration) {
    EXPECT_EQ(at_rest({.gen = 7, .due = now, .sent = false}), (Wakeup{.gen = 7, .due = {}, .sent = true}));
}

TEST(Wakeup, AReportSettlesItsOwnGenerationOnly) {
    const Wakeup owed{.gen = 7, .due = now, .sent = false};
    EXPECT_TRUE(with_sent(owed, 7).sent);
    EXPECT_FALSE(with_sent(owed, 6).sent) << "a newer one came in between";
}

}  // namespace
}  // namespace sluice::lane
