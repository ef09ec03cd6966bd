#include "consumer/store/inbox/applied_offset.hpp"
#include "consumer/store/driver/error.hpp"

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using AppliedOffsetTest = ServerTest;
using Offsets = std::map<std::int32_t, std::int64_t>;

constexpr OffsetWriter mine{"sluice", "topic-1", "pod-a/0"};
constexpr OffsetWriter theirs{"sluice", "topic-1", "pod-b/0"};

TEST_F(AppliedOffsetTest, IsTheMaximumOverAllWriters) {
    const auto connection = open_migrated();
    ASSERT_TRUE(write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, 10}, {1, 7}}))
        << connection->last_error().message;
    ASSERT_TRUE(write_applied_offsets(*connection, theirs, std::vector<AppliedOffset>{{0, 8}, {2, 1}}));
    EXPECT_EQ(*applied_offsets(*connection, "sluice", "topic-1"), (Offsets{{0, 10}, {1, 7}, {2, 1}}));
}

TEST_F(AppliedOffsetTest, BelongsToOneGroupAndOneLifeOfATopic) {
    const auto connection = open_migrated();
    ASSERT_TRUE(write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, 10}}));
    EXPECT_TRUE(applied_offsets(*connection, "sluice", "topic-2")->empty());
    EXPECT_TRUE(applied_offsets(*connection, "other", "topic-1")->empty());
}

TEST_F(AppliedOffsetTest, NeverGoesDownByItself) {
    const auto connection = open_migrated();
    for (const std::int64_t next : {10, 4, 10, 12, 3}) {
        ASSERT_TRUE(write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, next}}));
    }
    EXPECT_EQ(*applied_offsets(*connection, "sluice", "topic-1"), (Offsets{{0, 12}}));
}

TEST_F(AppliedOffsetTest, GoesDownWhenToldToRestart) {
    const auto connection = open_migrated();
    ASSERT_TRUE(write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, 10}, {1, 10}}));
    ASSERT_TRUE(
        write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, 4}}, WriteMode::restart));
    EXPECT_EQ(*applied_offsets(*connection, "sluice", "topic-1"), (Offsets{{0, 4}, {1, 10}}));
}

TEST_F(AppliedOffsetTest, IsRefusedOnAnotherServerThanTheSessionBeganOn) {
    const auto connection = open_migrated();
    const std::string here = server_name(*connection).value();
    const OffsetWriter there{mine.group, mine.topic_id, mine.name, "7/elsewhere"};
    const std::vector<AppliedOffset> offsets{{0, 10}, {1, 10}, {2, 10}};
    EXPECT_TRUE(write_applied_offsets(*connection, {mine.group, mine.topic_id, mine.name, here}, offsets));
    const auto moved =
        write_applied_offsets(*connection, there, std::vector<AppliedOffset>{{0, 11}, {1, 11}, {2, 11}});
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error(), make_error(session_moved, ""));
    EXPECT_EQ(connection->last_error().code, moved.error())
        << "who asks why has to learn that a session was lost";
    EXPECT_EQ(class_of(moved.error()), ErrorClass::connection);
    EXPECT_EQ(*applied_offsets(*open(), "sluice", "topic-1"), (Offsets{{0, 10}, {1, 10}, {2, 10}}));
}

TEST_F(AppliedOffsetTest, IsRefusedInAnotherSessionThanTheTransactionBeganIn) {
    const auto connection = open_migrated();
    const std::string here = server_name(*connection).value();
    const OffsetWriter writer{mine.group, mine.topic_id, mine.name, here};
    ASSERT_TRUE(connection->begin());
    ASSERT_TRUE(write_applied_offsets(*connection, writer, std::vector<AppliedOffset>{{0, 10}}));
    run(*connection, "SET SESSION TRANSACTION READ WRITE");  // as a session that a proxy just made
    const auto moved = write_applied_offsets(*connection, writer, std::vector<AppliedOffset>{{0, 11}});
    ASSERT_FALSE(moved);
    EXPECT_EQ(moved.error(), make_error(session_moved, ""));
    EXPECT_FALSE(connection->alive());
    ASSERT_TRUE(write_applied_offsets(*open(), writer, std::vector<AppliedOffset>{{0, 9}}))
        << "outside of a transaction";
}

TEST_F(AppliedOffsetTest, LosesAllRowsOfAPartitionWhoseLogWasCut) {
    const auto connection = open_migrated();
    ASSERT_TRUE(write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, 10}, {1, 7}}));
    ASSERT_TRUE(write_applied_offsets(*connection, theirs, std::vector<AppliedOffset>{{0, 8}}));
    ASSERT_TRUE(forget_applied_offsets(*connection, "sluice", "topic-1", 0));
    EXPECT_EQ(*applied_offsets(*connection, "sluice", "topic-1"), (Offsets{{1, 7}}));
}

TEST_F(AppliedOffsetTest, GoesWithItsTransaction) {
    const auto connection = open_migrated();
    ASSERT_TRUE(connection->begin());
    ASSERT_TRUE(write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, 10}}));
    ASSERT_TRUE(connection->rollback());
    EXPECT_TRUE(applied_offsets(*connection, "sluice", "topic-1")->empty());
}

TEST_F(AppliedOffsetTest, TakesManyPartitionsAtOnce) {
    const auto connection = open_migrated();
    std::vector<AppliedOffset> offsets;
    for (std::int32_t partition = 0; partition < 300; ++partition)
        offsets.push_back({partition, partition + 1});
    ASSERT_TRUE(write_applied_offsets(*connection, mine, offsets));
    ASSERT_TRUE(write_applied_offsets(*connection, mine, {}));
    EXPECT_EQ(applied_offsets(*connection, "sluice", "topic-1")->size(), 300U);
}

TEST_F(AppliedOffsetTest, LosesStaleRowsOnly) {
    const auto connection = open_migrated();
    ASSERT_TRUE(write_applied_offsets(*connection, mine, std::vector<AppliedOffset>{{0, 10}}));
    ASSERT_TRUE(write_applied_offsets(*connection, theirs, std::vector<AppliedOffset>{{0, 8}, {1, 8}}));
    ASSERT_TRUE(write_applied_offsets(*connection, {"sluice", "topic-0", "pod-c/0"},
                                      std::vector<AppliedOffset>{{0, 99}}));
    ASSERT_TRUE(write_applied_offsets(*connection, {"other", "topic-0", "pod-c/0"},
                                      std::vector<AppliedOffset>{{0, 99}}));
    EXPECT_EQ(delete_stale_applied_offsets(*connection, "sluice"), 0) << "all are young";

    run(*connection, "UPDATE applied_offset SET updated_at = UTC_TIMESTAMP(6) - INTERVAL 25 HOUR");
    EXPECT_EQ(delete_stale_applied_offsets(*connection, "sluice"), 1);
    EXPECT_EQ(*applied_offsets(*connection, "sluice", "topic-1"), (Offsets{{0, 10}, {1, 8}}));
    EXPECT_EQ(*applied_offsets(*connection, "sluice", "topic-0"), (Offsets{{0, 99}}));
    EXPECT_EQ(applied_offsets(*connection, "other", "topic-0")->size(), 1U);
}

}  // namespace
}  // namespace sluice::store
