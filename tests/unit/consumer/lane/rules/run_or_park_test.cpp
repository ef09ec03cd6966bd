#include "consumer/lane/rules/run_or_park.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/lane/rules/lanes.hpp"

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

TEST(Arrival, RunsWhereNothingIsUnfinished) {
    EXPECT_EQ(admit(lane_of({})), Admission::run);
}

TEST(Arrival, PassesDeferredEvents) {
    EXPECT_EQ(admit(lane_of({deferred(1), deferred(2)})), Admission::run);
}

TEST(Arrival, IsParkedBehindWhateverHolds) {
    for (const Row& head : {retried(2), dead(2), parked(2)}) {
        EXPECT_EQ(admit(lane_of({deferred(1), head})), Admission::park);
    }
}

TEST(Arrival, AParkedOneOwesNothing) {
    const Lane lane = lane_of({retried(1)});
    const Parking parking = park(lane, Names{"credit"}, Names{"credit"}, now);
    EXPECT_EQ(parking.wakeup, lane.wakeup);
    EXPECT_EQ(parking.overtaken, std::nullopt);
}

TEST(Arrival, SupersedesADeadEventThatSaysSo) {
    Row head = dead(2);
    head.may_be_superseded = true;
    const Lane lane = lane_of({deferred(1), head});
    const Parking parking = park(lane, Names{"mirror"}, Names{"mirror"}, now);
    EXPECT_EQ(parking.overtaken, 2);
    EXPECT_EQ(parking.wakeup, armed(lane.wakeup, now))
        << "else nobody would wakeup those behind the dead one";
}

TEST(Arrival, SupersedesOnlyByTheSameEffects) {
    Row head = dead(1);
    head.may_be_superseded = true;
    EXPECT_EQ(park(lane_of({head}), Names{"credit"}, Names{"mirror"}, now).overtaken, std::nullopt);
    EXPECT_EQ(park(lane_of({head}), Names{"mirror", "credit"}, Names{"mirror"}, now).overtaken, std::nullopt);
}

TEST(Arrival, SupersedesNothingThatIsStillTried) {
    Row head = retried(1);
    head.may_be_superseded = true;  // of an earlier death
    EXPECT_EQ(park(lane_of({head}), Names{"mirror"}, Names{"mirror"}, now).overtaken, std::nullopt);
}

TEST(Arrival, AFailureOwesAWakeupForItsTime) {
    const Lane lane = lane_of({});
    EXPECT_EQ(enter(lane, retried(1, 5s), now), armed(lane.wakeup, now + 5s));
    EXPECT_EQ(enter(lane, deferred(1, 5s), now), armed(lane.wakeup, now + 5s));
}

TEST(Arrival, ANewWakeupReplacesThatOfEarlierDeferrals) {
    const Lane lane = lane_of({deferred(1, 2s)});
    EXPECT_EQ(enter(lane, retried(2, 5s), now).due, now + 2s) << "so it is due when the first of them is";
}

TEST(Arrival, ADeadEventLeavesTheWakeupOfThoseBeforeIt) {
    const Lane lane = lane_of({deferred(1, 5s)});
    EXPECT_EQ(enter(lane, dead(2), now), lane.wakeup);
}

}  // namespace
}  // namespace sluice::lane
