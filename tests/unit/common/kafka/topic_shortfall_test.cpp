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

TEST(TopicShortfall, ASettingThatLosesUnreadEventsIsOne) {
    TopicFacts compacted = facts(3, 2);
    compacted.cleanup_policy = "compact,delete";
    EXPECT_TRUE(shortfall(compacted, "t", 3, 2).contains("topic t has cleanup.policy=compact,delete"));
    TopicFacts bounded = facts(3, 2);
    bounded.retention_bytes = 0;
    EXPECT_TRUE(shortfall(bounded, "t", 3, 2).contains("topic t has retention.bytes=0"));
    TopicFacts unclean = facts(3, 2);
    unclean.unclean_election = true;
    EXPECT_TRUE(shortfall(unclean, "t", 3, 2).contains("unclean.leader.election.enable=true"));
    EXPECT_EQ(losing_setting(facts(1, 1), "t"), "") << "what merely is below configuration loses nothing";
}

TEST(TopicSpread, IsWhatIsPinnedAndElseAll) {
    EXPECT_EQ(spread_of(facts(3, 2), 0), 12);
    EXPECT_EQ(spread_of(facts(3, 2), 8), 8);
    EXPECT_EQ(spread_shortfall(facts(3, 2), "t", 0), "");
    EXPECT_EQ(spread_shortfall(facts(3, 2), "t", 12), "");
    EXPECT_EQ(spread_shortfall(facts(3, 2), "t", 24),
              "topic t has partitions 12, below the 24 of kafka.partitions");
}

TEST(TopicSpread, AChangeNamesBothNumbersTheRemedyAndThePage) {
    const std::string why = spread_changed("payments.v1", 12, 24);
    for (const char* part : {"payments.v1", "12", "24", "order", "kafka.partitions to 12", "docs/upgrade.md"})
        EXPECT_TRUE(why.contains(part)) << part;
}

}  // namespace
}  // namespace sluice::kafka
