#include <gtest/gtest.h>

#include "common/kafka/topic_facts.hpp"

namespace sluice::kafka {
namespace {

TopicFacts facts(int replication, int min_insync) {
    TopicFacts facts;
    facts.partitions = 12;
    facts.replication = replication;
    facts.min_insync = min_insync;
    return facts;
}

TEST(TopicShortfall, IsEmptyAtAndAboveTheLeast) {
    EXPECT_EQ(shortfall(facts(3, 2), "t", 3, 2), "");
    EXPECT_EQ(shortfall(facts(5, 3), "t", 3, 2), "");
    EXPECT_EQ(shortfall(facts(1, 1), "t", 1, 1), "");
}

TEST(TopicShortfall, NamesTheTopicTheFactAndTheSetting) {
    EXPECT_EQ(shortfall(facts(2, 2), "payments.v1", 3, 2),
              "topic payments.v1 has replication 2, below the 3 of kafka.min_replication");
    EXPECT_EQ(shortfall(facts(3, 1), "payments.v1", 3, 2),
              "topic payments.v1 has min.insync.replicas 1, below the 2 of kafka.min_insync");
}

TEST(TopicShortfall, ATopicWithoutPartitionsIsShort) {
    EXPECT_NE(shortfall(facts(0, 2), "t", 1, 2), "");
}

}  // namespace
}  // namespace sluice::kafka
