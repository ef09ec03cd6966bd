#include <future>
#include <thread>

#include "consumer/store/lane/lane.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using LaneLocksTest = ServerTest;

/// One transaction that enters the lane with an event; whether it was committed.
bool enter(Connection& connection) {
    if (!connection.begin()) return false;
    auto lane = make_lane(connection, "object", test_time);
    if (!lane) return false;
    const std::vector<std::string> effects{"pay"};
    const LaneRow row{.row = {.position = lane->next_position(), .first_failed_at = {}}, .effects = effects};
    const LaneRecord record{.inbox = {}, .topic = "t", .appended_at = test_time, .headers = "", .body = "{}"};
    return append_event(connection, *lane, row, record) &&
           write_lane(connection, *lane, lane::armed(lane->lane.wakeup, test_time), test_time) &&
           connection.commit();
}

TEST_F(LaneLocksTest, MakeOneRowOfALaneThatManyEnterAtOnce) {
    const auto connection = open_migrated();
    constexpr int threads = 4;
    constexpr int times = 25;
    std::vector<std::future<int>> all;
    for (int i = 0; i < threads; ++i) {
        all.push_back(std::async(std::launch::async, [mine = open()] {
            int entered = 0;
            for (int n = 0; n < times; ++n) entered += enter(*mine) ? 1 : 0;
            return entered;
        }));
    }
    for (auto& one : all) EXPECT_EQ(one.get(), times);
    const auto lane = lock_lane(*connection, lane_key_of("object")).value().value();
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM lane"), 1);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM lane_event"), threads * times);
    EXPECT_EQ(lane.unfinished, threads * times);
    EXPECT_EQ(lane.last_position, threads * times);
    EXPECT_EQ(lane.lane.wakeup.gen, test_time.time_since_epoch().count() + threads * times);
}

/// Returns once somebody on the server waits for a row, or after a few seconds.
void await_waiter(Connection& observer) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{4};
    const auto waiters = [&] {
        const auto rows = observer.query("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_current_waits'", {});
        return rows ? std::get<std::string>(rows->at(0).at(1)) : "none";
    };
    while (waiters() == "0" && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
}

TEST_F(LaneLocksTest, LetTheLoserOfALaneWaitAndSeeWhatTheWinnerWrote) {
    const auto winner = open_migrated();
    ASSERT_TRUE(enter(*winner));
    ASSERT_TRUE(winner->begin());
    auto won = lock_lane(*winner, lane_key_of("object")).value().value();
    auto loser = std::async(std::launch::async, [mine = open()] {
        const bool begun = mine->begin().has_value();
        auto lost = lock_lane(*mine, lane_key_of("object"));
        return begun && lost ? *lost : std::nullopt;
    });
    await_waiter(*open());
    ASSERT_TRUE(remove_event(*winner, won, 1));
    ASSERT_TRUE(write_lane(*winner, won, lane::at_rest(won.lane.wakeup), test_time));
    ASSERT_TRUE(winner->commit());
    const auto lost = loser.get();
    ASSERT_TRUE(lost);
    EXPECT_TRUE(lost->lane.front.empty()) << "read before the winner's COMMIT";
    EXPECT_EQ(lost->unfinished, 0);
    EXPECT_EQ(lost->lane.wakeup.due, std::nullopt);
}

TEST_F(LaneLocksTest, GiveUpOnALaneThatIsHeldForLong) {
    const auto winner = open_migrated();
    ASSERT_TRUE(enter(*winner));
    ASSERT_TRUE(winner->begin());
    ASSERT_TRUE(lock_lane(*winner, lane_key_of("object")).value());
    const auto loser = open();
    ASSERT_TRUE(loser->set_lock_wait(std::chrono::seconds{1}));
    ASSERT_TRUE(loser->begin());
    EXPECT_EQ(class_of_failure(lock_lane(*loser, lane_key_of("object"))), ErrorClass::lost_lock);
    EXPECT_EQ(busy_lanes(*open(), std::vector{lane_key_of("object")}).value().size(), 1U) << "a look waits";
}

TEST_F(LaneLocksTest, DoNotKeepOthersFromOtherLanes) {
    const auto first = open_migrated();
    ASSERT_TRUE(first->begin());
    ASSERT_TRUE(make_lane(*first, "object 1", test_time));
    const auto second = open();
    ASSERT_TRUE(second->set_lock_wait(std::chrono::seconds{1}));
    ASSERT_TRUE(second->begin());
    for (int i = 2; i < 50; ++i) EXPECT_TRUE(make_lane(*second, "object " + std::to_string(i), test_time));
    EXPECT_FALSE(lock_lane(*second, lane_key_of("nobody's")).value());
}

}  // namespace
}  // namespace sluice::store
