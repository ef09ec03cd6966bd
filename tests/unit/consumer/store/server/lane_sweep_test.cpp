#include "consumer/store/lane/lane_sweep.hpp"

#include "consumer/store/dead_letter/dead_letter.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

class LaneSweepTest : public ServerTest {
protected:
    /// A lane whose wakeup is due at `due` and owed; its generation.
    lane::Generation make(const std::string& object, WallTime due, WallTime now = test_time) {
        EXPECT_TRUE(connection->begin());
        const auto lane = make_lane(*connection, object, now).value();
        const lane::Wakeup wakeup = lane::armed(lane.lane.wakeup, due);
        EXPECT_TRUE(write_lane(*connection, lane, wakeup, now));
        EXPECT_TRUE(connection->commit());
        return wakeup.gen;
    }
    std::vector<std::string> overdue(WallTime before) {
        std::vector<std::string> objects;
        const auto lanes = overdue_lanes(*connection, before).value();
        for (const auto& lane : lanes) objects.push_back(lane.object_key);
        return objects;
    }
    std::int64_t open(const std::string& object, WallTime opened_at, std::optional<LanePlace> place) {
        DeadLetter dead_letter;
        dead_letter.place = place;
        dead_letter.object_key = object;
        dead_letter.error_class = "park";
        dead_letter.topic = "t";
        if (!place) dead_letter.record = DeadLetterRecord{crypto::sha256(object), "", "{}"};
        return open_dead_letter(*connection, dead_letter, opened_at).value().value();
    }

    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
    }
    void TearDown() override {
        connection.reset();
        ServerTest::TearDown();
    }
    using Objects = std::vector<std::string>;
    std::unique_ptr<Connection> connection;
};

TEST_F(LaneSweepTest, PutsAWakeupOffSoThatItsLaneIsSweptOnceARound) {
    const auto gen = make("object", test_time);
    EXPECT_EQ(overdue(test_time + 1s), Objects{"object"});
    EXPECT_EQ(put_off_wakeup(*connection, lane_key_of("object"), gen, test_time + 5s), true);
    EXPECT_EQ(overdue(test_time + 1s), Objects{});
    EXPECT_EQ(overdue(test_time + 6s), Objects{"object"}) << "nobody came: swept again";
    const auto lane = lock_lane(*connection, lane_key_of("object")).value().value();
    EXPECT_TRUE(lane.lane.wakeup.sent) << "it is with the broker";
    EXPECT_EQ(lane.lane.wakeup.gen, gen);
}

TEST_F(LaneSweepTest, LeavesANewerGenerationAsItIs) {
    const auto old = make("object", test_time);
    const auto gen = make("object", test_time + 1h);
    ASSERT_GT(gen, old);
    EXPECT_EQ(put_off_wakeup(*connection, lane_key_of("object"), old, test_time + 5s), false);
    EXPECT_EQ(put_off_wakeup(*connection, lane_key_of("other"), old, test_time + 5s), false);
    const auto lane = lock_lane(*connection, lane_key_of("object")).value().value();
    EXPECT_FALSE(lane.lane.wakeup.sent);
    EXPECT_EQ(lane.lane.wakeup.due, test_time + 1h);
}

TEST_F(LaneSweepTest, FindsOwedDeadLettersOldestFirstWithAndWithoutALane) {
    const auto alone = open("alone", test_time + 2s, {});
    const auto dead = open("object", test_time + 1s, LanePlace{lane_key_of("object"), 1});
    (void)open("too new", test_time + 1h, {});
    const auto owed = owed_dead_letters(*connection, test_time + 1min, {}).value();
    ASSERT_EQ(owed.size(), 2U);
    EXPECT_EQ(owed[0].id, dead);
    EXPECT_TRUE(owed[0].in_lane);
    EXPECT_EQ(owed[0].object_key, "object");
    EXPECT_EQ(owed[1].id, alone);
    EXPECT_FALSE(owed[1].in_lane);
}

TEST_F(LaneSweepTest, FindsNeitherPaidNorClosedDeadLetters) {
    ASSERT_TRUE(mark_dead_letter_sent(*connection, open("paid", test_time, {})));
    ASSERT_TRUE(close_dead_letter(*connection, open("closed", test_time, {}), ClosedAs::closed, test_time));
    EXPECT_TRUE(owed_dead_letters(*connection, test_time + 1min, {}).value().empty());
}

TEST_F(LaneSweepTest, GoesOnBehindTheLastDeadLetterAlsoAmongEqualTimes) {
    const auto first = open("a", test_time, {});
    const auto second = open("b", test_time, {});
    const auto third = open("c", test_time + 1s, {});
    const auto behind = [&](const OwedDeadLetter& last) {
        std::vector<std::int64_t> ids;
        const auto dead_letters = owed_dead_letters(*connection, test_time + 1min, last).value();
        for (const auto& owed : dead_letters) ids.push_back(owed.id);
        return ids;
    };
    const OwedDeadLetter a{.id = first, .in_lane = false, .object_key = "a", .opened_at = test_time};
    const OwedDeadLetter b{.id = second, .in_lane = false, .object_key = "b", .opened_at = test_time};
    EXPECT_EQ(behind(a), (std::vector{second, third}));
    EXPECT_EQ(behind(b), (std::vector{third}));
}

TEST_F(LaneSweepTest, PurgesLanesThatAreIdleForLongAndNoOthers) {
    (void)make("idle", test_time);
    (void)make("written since", test_time, test_time + 2h);
    (void)make("busy", test_time);
    run(*connection, "UPDATE lane SET unfinished = 1 WHERE object_key = 'busy'");
    EXPECT_EQ(purge_idle_lanes(*connection, test_time + 1h), 1);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM lane"), 2);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM lane WHERE object_key = 'idle'"), 0);
}

TEST_F(LaneSweepTest, GivesALaneThatWasPurgedAHigherGeneration) {
    const auto before = make("object", test_time);
    ASSERT_EQ(purge_idle_lanes(*connection, test_time + 1h), 1);
    EXPECT_GT(make("object", test_time + 2h, test_time + 2h), before);
}

}  // namespace
}  // namespace sluice::store
