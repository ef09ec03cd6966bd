#include "consumer/store/lane/lane_list.hpp"

#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using lane::State;
using lane::Status;

/// One lane in each state, named after it; the later in the list, the longer it waits.
class LaneListTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
        make("open", {});
        make("draining", {Status::parked});
        make("waiting", {Status::deferred, Status::retry, Status::parked});
        make("quarantined", {Status::dead, Status::deferred, Status::parked, Status::dead});
        make("deferring", {Status::deferred, Status::deferred});
    }

    void make(std::string_view object, const std::vector<Status>& statuses) {
        auto made = make_lane(*connection, object, test_time).value();
        started -= std::chrono::hours{1};
        for (const auto status : statuses) append(made, status);
        ASSERT_TRUE(write_lane(*connection, made, made.lane.wakeup, test_time));
    }

    void append(LockedLane& lane, Status status) {
        const std::vector<std::string> effects{"pay"};
        const LaneRow row{.row = {.position = lane.next_position(), .status = status, .first_failed_at = {}},
                          .effects = effects,
                          .error_class = lane::name_of(status)};
        const LaneRecord record{
            .inbox = key_of(1), .topic = "t", .appended_at = started, .headers = "", .body = "b"};
        ASSERT_TRUE(append_event(*connection, lane, row, record));
    }

    std::vector<std::string> names_of(std::optional<State> state, std::int64_t limit = 10) {
        std::vector<std::string> names;
        const auto lanes = list_lanes(*connection, state, limit);
        EXPECT_TRUE(lanes) << connection->last_error().message;
        for (const auto& lane : *lanes) {
            EXPECT_EQ(lane::name_of(lane.state), lane.object_key);
            names.push_back(lane.object_key);
        }
        return names;
    }

    std::unique_ptr<Connection> connection;
    WallTime started = test_time;
};

TEST_F(LaneListTest, NamesWhatIsNotOpenByItsStateLongestFirst) {
    using Names = std::vector<std::string>;
    EXPECT_EQ(names_of(std::nullopt), (Names{"deferring", "quarantined", "waiting", "draining"}));
    EXPECT_EQ(names_of(std::nullopt, 2), (Names{"deferring", "quarantined"}));
    for (const auto state : {State::deferring, State::waiting, State::draining, State::quarantined}) {
        EXPECT_EQ(names_of(state), (Names{std::string{lane::name_of(state)}}));
        EXPECT_EQ(lane_state_from(lane::name_of(state)), state);
    }
    EXPECT_EQ(lane_state_from("shut"), std::nullopt);
}

TEST_F(LaneListTest, FindsTheLanesOfAPaymentWhereverItsEventStands) {
    EXPECT_TRUE(lanes_of_payment(*connection, {.reference = "O-17"}, 10).value().empty());
    run(*connection,
        "UPDATE lane_event SET reference = 'O-17', transaction = 'T-1' WHERE status = 'parked' AND position "
        "= 3");
    const auto lanes = lanes_of_payment(*connection, {.reference = "O-17", .transaction = "T-1"}, 10).value();
    ASSERT_EQ(lanes.size(), 2U);
    EXPECT_EQ(lanes.at(0).object_key + " " + lanes.at(1).object_key, "quarantined waiting");
    EXPECT_EQ(lanes.at(1).unfinished, 3);
    EXPECT_EQ(lanes_of_payment(*connection, {.transaction = "T-1"}, 1).value().size(), 1U);
    const auto events = list_events(*connection, lanes.at(1).key, 10).value();
    EXPECT_EQ(events.at(2).reference + events.at(2).transaction, "O-17T-1");
    EXPECT_EQ(events.at(0).reference, "");
}

TEST_F(LaneListTest, OneThatANewerReleaseHoldsWaits) {
    run(*connection, "ALTER TABLE lane_event MODIFY status VARCHAR(32) NOT NULL");
    run(*connection, "UPDATE lane_event SET status = 'held_back' WHERE status = 'retry'");
    EXPECT_EQ(find_lane(*connection, lane_key_of("waiting")).value().value().state, State::waiting);
}

TEST_F(LaneListTest, SaysOfALaneWhatHoldsIt) {
    const auto waiting = find_lane(*connection, lane_key_of("waiting")).value().value();
    EXPECT_EQ(waiting.error_class, "retry");
    EXPECT_EQ(waiting.unfinished, 3);
    EXPECT_EQ(waiting.since, test_time - std::chrono::hours{3});
    EXPECT_EQ(find_lane(*connection, lane_key_of("deferring")).value().value().error_class, "deferred");
    const auto open = find_lane(*connection, lane_key_of("open")).value().value();
    EXPECT_EQ(open.state, State::open);
    EXPECT_EQ(open.since, std::nullopt);
    EXPECT_FALSE(find_lane(*connection, lane_key_of("never in trouble")).value());
}

TEST_F(LaneListTest, CountsLanesAndEventsByState) {
    const auto counts = count_lanes(*connection).value();
    ASSERT_EQ(counts.size(), 4U);
    for (const auto& count : counts) EXPECT_EQ(count.lanes, 1);
    const auto quarantined = std::ranges::find(counts, State::quarantined, &LaneCount::state);
    ASSERT_NE(quarantined, counts.end());
    EXPECT_EQ(quarantined->events, 4);
    EXPECT_EQ(quarantined->oldest, test_time - std::chrono::hours{4});
}

TEST_F(LaneListTest, ShowsTheEventsOfALanePageByPage) {
    auto entry = entry_of(1);
    entry.status = InboxStatus::parked;
    ASSERT_TRUE(insert(*connection, {&entry, 1}));
    const auto key = lane_key_of("quarantined");
    const auto first = list_events(*connection, key, 3).value();
    ASSERT_EQ(first.size(), 3U);
    EXPECT_EQ(first[0].row.status, Status::dead);
    EXPECT_EQ(first[0].effects, std::vector<std::string>{"pay"});
    EXPECT_EQ(first[0].event_id, "evt_1");
    EXPECT_EQ(first[0].error_class, "dead");
    EXPECT_FALSE(first[0].edited);
    const auto rest = list_events(*connection, key, 3, first.back().row.position).value();
    ASSERT_EQ(rest.size(), 1U);
    EXPECT_EQ(rest[0].row.position, 4);
}

TEST_F(LaneListTest, FindsTheRowOfAnEventThatMayHaveNoInboxRow) {
    const auto found = find_event_row(*connection, lane_key_of("waiting"), key_of(1)).value().value();
    EXPECT_EQ(found.row.position, 1);
    EXPECT_EQ(found.inbox, key_of(1));
    EXPECT_EQ(found.event_id, "");
    EXPECT_FALSE(find_event_row(*connection, lane_key_of("waiting"), key_of(2)).value());
}

}  // namespace
}  // namespace sluice::store
