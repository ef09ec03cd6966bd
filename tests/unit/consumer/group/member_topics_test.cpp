#include "consumer/group/member_topics.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

class MemberTopicsTest : public testing::Test {
protected:
    MemberTopics topics{{"soon", "late"}};
};

TEST_F(MemberTopicsTest, KnowsItsOwnByName) {
    EXPECT_EQ(topics.index_of("late"), 1U);
    EXPECT_EQ(topics.index_of("other"), std::nullopt);
}

TEST_F(MemberTopicsTest, SubscribesToAll) {
    const auto list = topics.all();
    ASSERT_EQ(list->cnt, 2);
    EXPECT_STREQ(list->elems[0].topic, "soon");
    EXPECT_STREQ(list->elems[1].topic, "late");
}

TEST_F(MemberTopicsTest, FindsItsPlacesInAList) {
    const std::vector<Place> places{{3, 1}, {0, 0}};
    const auto list = topics.list_of(places);
    rd_kafka_topic_partition_list_add(list.get(), "other", 7);
    EXPECT_EQ(topics.places_in(*list), places);
}

TEST_F(MemberTopicsTest, ListsOffsetsWithTheirEpochs) {
    const std::vector<Partitions::Storable> offsets{{{3, 1}, 1, 17, 5, false}};
    const auto list = topics.list_of(offsets);
    ASSERT_EQ(list->cnt, 1);
    EXPECT_STREQ(list->elems[0].topic, "late");
    EXPECT_EQ(list->elems[0].partition, 3);
    EXPECT_EQ(list->elems[0].offset, 17);
    EXPECT_EQ(rd_kafka_topic_partition_get_leader_epoch(&list->elems[0]), 5);
}

}  // namespace
}  // namespace sluice::consumer
