#include <string>

#include "consumer/store/dead_letter/dead_letter.hpp"
#include "consumer/store/lane/lane.hpp"
#include "consumer/store/lane/lane_sweep.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/plans.hpp"

namespace sluice::store {
namespace {

constexpr WallTime noon = test_day + std::chrono::hours{12};

/// 10,000 followers in one lane; 10,000 lanes due one second after the other; 10,000 owed DLQ records.
class LanePlansTest : public PlansTest {
protected:
    void SetUp() override {
        PlansTest::SetUp();
        fill(
            "INSERT INTO lane SELECT UNHEX(SHA2(CONCAT('object ', n), 256)), 'o', 7,"
            " TIMESTAMP('2026-11-21') + INTERVAL n SECOND, 1, n % 2, 10000, NOW()");
        fill(
            "INSERT INTO lane_event SELECT UNHEX(SHA2('object 1', 256)), n + 1, IF(n = 0, 'retry', "
            "'parked'), 0, 0,"
            " NULL, NULL, 0, '[\"pay\"]', NULL, NULL, NULL, NULL, NULL, 't', 0, n, NOW(), '', REPEAT('b', "
            "2000), 0, NULL, NULL, NULL, 0");
        fill(
            "INSERT INTO dead_letter (kind, lane_key, position, object_key, source, type, event_id, "
            "error_class,"
            " error_text, attempts, first_failed_at, topic, partition_no, offset_no, dlq_sent, opened_at)"
            " SELECT 'dead', UNHEX(SHA2(CONCAT('object ', 1 + n DIV 2), 256)), 1 + n % 2, 'o', 's', 't', "
            "'e', 'park', '',"
            " 1, NOW(), 't', 0, n, 0, NOW()");
        run(*connection, "ANALYZE TABLE lane, lane_event, dead_letter");
    }

    void fill(const std::string& statement) { run(*connection, statement + ten_thousand); }
};

TEST_F(LanePlansTest, ReadTheFrontOfALaneAndNotItsFollowers) {
    const auto lock = [&] {
        const auto lane = lock_lane(*connection, lane_key_of("object 1"));
        return lane && *lane && (*lane)->lane.front.size() == 1 && (*lane)->lane.dlq_owed;
    };
    EXPECT_LE(reads_of(lock), 1 + 33 + 2);  // its own row, the front, the first owed death
}

TEST_F(LanePlansTest, ReadAtTheTailWhatIsNotFinishedThere) {
    const auto lock = [&] {
        const auto lane = lock_lane(*connection, lane_key_of("object 1"), 9990);
        return lane && *lane && (*lane)->lane.front.at(0).position == 9991;
    };
    EXPECT_LE(reads_of(lock), 1 + 33 + 2);
}

TEST_F(LanePlansTest, LookAtABatchByThePrimaryKey) {
    std::vector<LaneKey> keys;
    for (int i = 0; i < 128; ++i) keys.push_back(lane_key_of("object " + std::to_string(i * 90)));
    const auto look = [&] { return busy_lanes(*connection, keys).has_value(); };
    EXPECT_LE(reads_of(look), 65 + 2 * 128);  // so many are busy that it asks for each
    const auto look_at_one = [&] { return busy_lanes(*connection, std::span{keys}.first(1)).has_value(); };
    EXPECT_LE(reads_of(look_at_one), 1);
}

TEST_F(LanePlansTest, LookAtABatchByTheFewThatAreBusy) {
    run(*connection, "UPDATE lane SET unfinished = (lane_key = UNHEX(SHA2('object 90', 256)))");
    std::vector<LaneKey> keys;
    for (int i = 0; i < 128; ++i) keys.push_back(lane_key_of("object " + std::to_string(i * 90)));
    const auto look = [&] { return busy_lanes(*connection, keys) == std::vector{keys.at(1)}; };
    EXPECT_LE(reads_of(look), 2);
}

TEST_F(LanePlansTest, SweepOverdueLanesByTheirTime) {
    const auto sweep = [&] {
        const auto overdue = overdue_lanes(*connection, WallTime{test_day} + std::chrono::seconds{20});
        return overdue && overdue->size() == 20 && overdue->front().key == lane_key_of("object 0");
    };
    EXPECT_LE(reads_of(sweep), 22);
    const auto sweep_many = [&] { return overdue_lanes(*connection, noon)->size() == 500; };
    EXPECT_LE(reads_of(sweep_many), 502);
}

TEST_F(LanePlansTest, SweepOwedDeadLettersByTheirTime) {
    const WallTime later = WallTime{test_day} + std::chrono::days{3650};
    const auto sweep = [&] { return owed_dead_letters(*connection, later, {})->size() == 100; };
    EXPECT_LE(reads_of(sweep), 102);
    const auto sweep_none = [&] { return owed_dead_letters(*connection, WallTime{test_day}, {})->empty(); };
    EXPECT_LE(reads_of(sweep_none), 2);
}

TEST_F(LanePlansTest, PurgeIdleLanesByTheirTime) {
    const auto purge_none = [&] { return purge_idle_lanes(*connection, WallTime{test_day}) == 0; };
    EXPECT_LE(reads_of(purge_none), 2);
    const WallTime later = WallTime{test_day} + std::chrono::days{3650};
    const auto purge = [&] { return purge_idle_lanes(*connection, later) == 500; };
    EXPECT_LE(reads_of(purge), 500 + 500 + 2);  // found, and each looked at once more
}

TEST_F(LanePlansTest, CloseADeathByItsLane) {
    const auto close = [&] {
        return close_dead_letters(*connection, {lane_key_of("object 7"), 2}, ClosedAs::done, noon)
            .has_value();
    };
    EXPECT_LE(reads_of(close), 6);
}

}  // namespace
}  // namespace sluice::store
