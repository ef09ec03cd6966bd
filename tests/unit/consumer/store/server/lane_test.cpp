#include "consumer/store/lane/lane.hpp"

#include <cstdlib>
#include <random>

#include "common/error.hpp"
#include "consumer/store/inbox/effect_names.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"
#include "tests/unit/consumer/store/server/lane_walk.hpp"

namespace sluice::store {
namespace {

using LaneTest = ServerTest;

const std::vector<std::string> pay{"pay"};

LaneRow row_of(const lane::Row& row) {
    return {.row = row, .effects = pay};
}

lane::Row row_at(lane::Position position, lane::Status status) {
    return {.position = position, .status = status, .first_failed_at = {}};
}

LaneRecord record_of(std::string_view headers, std::string_view body) {
    return {.inbox = key_of(1),
            .topic = "t",
            .partition = 3,
            .offset = 5'000'000'000,
            .appended_at = test_time,
            .headers = headers,
            .body = body};
}

/// 2,000 steps; how many kinds of decisions were taken.
std::size_t walk_lanes(Connection& connection, unsigned seed) {
    SCOPED_TRACE("again with SLUICE_TEST_SEED=" + std::to_string(seed));
    LaneWalk walk{connection, seed};
    for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
        walk.step();
        if (i % 100 == 0) walk.expect_equal_tables();
    }
    walk.expect_equal_tables();
    return walk.decisions.size();
}

TEST_F(LaneTest, HoldsWhatTheRulesDecidedOverARandomWalk) {
    const auto* given = std::getenv("SLUICE_TEST_SEED");
    const auto seed = given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device{}();
    RecordProperty("seed", std::to_string(seed));
    EXPECT_GT(walk_lanes(*open_migrated(), seed), 10U);
}

TEST_F(LaneTest, HoldsWhatTheRulesDecidedOfEveryKind) {
    EXPECT_EQ(walk_lanes(*open_migrated(), 6), 17U);
}

TEST_F(LaneTest, KeepsTheNamesOfAsManyEffectsAsAConfigurationMayHave) {
    const auto connection = open_migrated();
    const std::vector<std::string> names{std::string(longest_effects / 2, 'a'),
                                         std::string((longest_effects / 2) - 7, 'b')};
    ASSERT_EQ(effects_text(names).size(), longest_effects);
    auto lane = make_lane(*connection, "object", test_time).value();
    const LaneRow row{.row = row_at(1, lane::Status::retry), .effects = names};
    ASSERT_TRUE(append_event(*connection, lane, row, record_of("", ""))) << connection->last_error().message;
    EXPECT_EQ(lock_lane(*connection, lane.key).value().value().facts.at(0).effects, names);
}

TEST_F(LaneTest, GivesBackARecordByteForByte) {
    const auto connection = open_migrated();
    std::string every_byte;
    for (int byte = 0; byte < 256; ++byte) every_byte.push_back(static_cast<char>(byte));
    auto lane = make_lane(*connection, "object", test_time).value();
    ASSERT_TRUE(append_event(*connection, lane, row_of(row_at(1, lane::Status::retry)),
                             record_of(every_byte, every_byte)));
    const auto record = read_record(*connection, lane.key, 1).value();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->headers, every_byte);
    EXPECT_EQ(record->body, every_byte);
    EXPECT_EQ(record->topic, "t");
    EXPECT_EQ(record->partition, 3);
    EXPECT_EQ(record->offset, 5'000'000'000);
    EXPECT_EQ(record->appended_at, test_time);
    EXPECT_FALSE(record->edited);
    EXPECT_EQ(record->effects, pay);
    EXPECT_EQ(record->had, std::nullopt);
    EXPECT_FALSE(read_record(*connection, lane.key, 2).value());
}

TEST_F(LaneTest, KeepsWhatAnEventHadBeforeItsRerun) {
    const auto connection = open_migrated();
    auto lane = make_lane(*connection, "object", test_time).value();
    for (const auto* had : {"[]", R"(["old","older"])"}) {
        auto record = record_of("", "{}");
        record.had_effects = had;
        ASSERT_TRUE(append_event(*connection, lane, row_of(row_at(lane.next_position(), lane::Status::retry)),
                                 record));
    }
    EXPECT_EQ(read_record(*connection, lane.key, 1).value()->had, std::vector<std::string>{})
        << "none, and a rerun all the same";
    EXPECT_EQ(read_record(*connection, lane.key, 2).value()->had, (std::vector<std::string>{"old", "older"}));
}

TEST_F(LaneTest, TakesARecordKeyOfAnyLength) {
    const auto connection = open_migrated();
    const std::string lengthy(3000, 'k');
    const auto lane = make_lane(*connection, lengthy, test_time);
    ASSERT_TRUE(lane) << connection->last_error().message;
    EXPECT_TRUE(lock_lane(*connection, lane_key_of(lengthy)).value());
    EXPECT_EQ(lane_key_of(lengthy), lane_key_of(lengthy.substr(0, longest_object_key)))
        << "what the table keeps of a key is enough to find the lane";
    EXPECT_NE(lane_key_of(lengthy), lane_key_of(lengthy.substr(0, longest_object_key - 1)));
}

TEST_F(LaneTest, NeverUsesAGenerationAgainThoughItBePurged) {
    const auto connection = open_migrated();
    auto lane = make_lane(*connection, "object", test_time).value();
    for (int i = 0; i < 5; ++i) lane.lane.wakeup = lane::armed(lane.lane.wakeup, test_time);
    ASSERT_TRUE(write_lane(*connection, lane, lane.lane.wakeup, test_time));
    run(*connection, "DELETE FROM lane");
    const auto again = make_lane(*connection, "object", test_time + std::chrono::seconds{1}).value();
    EXPECT_GT(again.lane.wakeup.gen, lane.lane.wakeup.gen);
    EXPECT_EQ(again.lane.wakeup.due, std::nullopt);
    EXPECT_TRUE(again.lane.wakeup.sent);
}

TEST_F(LaneTest, ReadsDeferredRowsUpToTheHeadHoweverManyTheyAre) {
    const auto connection = open_migrated();
    for (const int deferred : {0, 1, 32, 33, 34, 66, 100}) {
        auto lane = make_lane(*connection, std::to_string(deferred), test_time).value();
        for (int i = 0; i < deferred + 40; ++i) {
            const auto status = i < deferred ? lane::Status::deferred : lane::Status::parked;
            ASSERT_TRUE(append_event(*connection, lane, row_of(row_at(lane.next_position(), status)),
                                     record_of("", "{}")));
        }
        const auto read = lock_lane(*connection, lane.key).value().value();
        ASSERT_EQ(read.lane.front.size(), static_cast<std::size_t>(deferred) + 1);
        EXPECT_EQ(lane::head_of(read.lane)->position, deferred + 1);
        EXPECT_EQ(lock_lane(*connection, lane.key, deferred + 5).value()->lane.front.at(0).position,
                  deferred + 6);
    }
}

TEST_F(LaneTest, SaysSoWhereARowIsNotThere) {
    const auto connection = open_migrated();
    auto lane = make_lane(*connection, "object", test_time).value();
    const auto missing = make_error_code(errc::unlisted_row_count);
    EXPECT_EQ(write_event(*connection, lane, row_of(row_at(1, lane::Status::dead))).error(), missing);
    EXPECT_EQ(remove_event(*connection, lane, 1).error(), missing);
    EXPECT_EQ(lane.unfinished, 0);
    lane.key = lane_key_of("another");
    EXPECT_EQ(write_lane(*connection, lane, lane.lane.wakeup, test_time).error(), missing);
}

/// Of 1,200 objects every `each`-th has a lane, and every second one of those is busy.
void expect_busy_ones_are_known(Connection& connection, int each) {
    std::vector<LaneKey> asked;
    std::vector<LaneKey> expected;
    for (int i = 0; i < 1200; ++i) {
        asked.push_back(lane_key_of("object " + std::to_string(i)));
        if (i % each != 0) continue;
        auto lane = make_lane(connection, "object " + std::to_string(i), test_time).value();
        lane.unfinished = i % (2 * each) == 0 ? 1 : 0;
        ASSERT_TRUE(write_lane(connection, lane, lane.lane.wakeup, test_time));
        if (lane.unfinished > 0) expected.push_back(lane.key);
    }
    const std::size_t apart = 2 * static_cast<std::size_t>(each);
    for (const std::size_t size : {0U, 1U, 2U, 7U, 8U, 9U, 129U, 512U, 513U, 1200U}) {
        const auto busy = busy_lanes(connection, std::span{asked}.first(size)).value();
        EXPECT_EQ(busy.size(), (size + apart - 1) / apart);
        for (const auto& key : busy) EXPECT_TRUE(std::ranges::contains(expected, key));
    }
}

TEST_F(LaneTest, KnowsTheBusyOnesOfABatchOfAnySizeWhereFewAre) {
    expect_busy_ones_are_known(*open_migrated(), 100);
}

TEST_F(LaneTest, KnowsTheBusyOnesOfABatchOfAnySizeWhereManyAre) {
    expect_busy_ones_are_known(*open_migrated(), 5);
}

}  // namespace
}  // namespace sluice::store
