#include "consumer/store/schema/partition_count.hpp"

#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using PartitionCountTest = ServerTest;

TEST_F(PartitionCountTest, TheFirstThatAsksDecidesForTheLifeOfTheTopic) {
    const auto connection = open_migrated();
    EXPECT_EQ(recorded_partitions(*connection, "topic-a").value(), std::nullopt);
    EXPECT_EQ(agree_on_partitions(*connection, "topic-a", 12, WallTime{}).value(), 12);
    EXPECT_EQ(agree_on_partitions(*connection, "topic-a", 24, WallTime{}).value(), 12);
    EXPECT_EQ(recorded_partitions(*connection, "topic-a").value(), 12);
}

TEST_F(PartitionCountTest, ATopicMadeAnewStartsOver) {
    const auto connection = open_migrated();
    EXPECT_EQ(agree_on_partitions(*connection, "topic-a", 12, WallTime{}).value(), 12);
    EXPECT_EQ(agree_on_partitions(*connection, "topic-b", 24, WallTime{}).value(), 24);
    EXPECT_EQ(recorded_partitions(*connection, "topic-a").value(), 12);
}

}  // namespace
}  // namespace sluice::store
