#include "common/kafka/topic_settings.hpp"

#include <gtest/gtest.h>

namespace sluice::kafka {
namespace {

const TopicSettings all{{"min.insync.replicas", "2"}, {"max.message.bytes", "2097152"},
                        {"retention.ms", "-1"},       {"cleanup.policy", "compact,delete"},
                        {"retention.bytes", "1024"},  {"unclean.leader.election.enable", "true"},
                        {"segment.bytes", "1"}};

TEST(TopicSettings, AreTaken) {
    TopicFacts facts;
    ASSERT_TRUE(take_settings(all, facts));
    EXPECT_EQ(facts.min_insync, 2);
    EXPECT_EQ(facts.max_message_bytes, 2'097'152);
    EXPECT_EQ(facts.retention_ms, -1);
    EXPECT_EQ(facts.cleanup_policy, "compact,delete");
    EXPECT_EQ(facts.retention_bytes, 1024);
    EXPECT_TRUE(facts.unclean_election);
    EXPECT_EQ(hidden_settings(facts, "t"), "");
}

TEST(TopicSettings, OneThatIsNotToldIsNamedAndNotHeldAgainstTheTopic) {
    TopicSettings told = all;
    told.erase("min.insync.replicas");
    told["cleanup.policy"] = "delete";
    told["retention.bytes"] = "-1";
    told.erase("unclean.leader.election.enable");
    TopicFacts facts;
    facts.replication = 3;
    ASSERT_TRUE(take_settings(told, facts));
    EXPECT_EQ(shortfall(facts, "t", 3, 2), "");
    EXPECT_EQ(hidden_settings(facts, "t")
                  .find("topic t: the broker does not tell min.insync.replicas, "
                        "unclean.leader.election.enable, so"),
              0U);
    EXPECT_TRUE(facts.hides("min.insync.replicas"));
    EXPECT_FALSE(facts.hides("retention.ms"));
}

TEST(TopicSettings, WhatIsToldCountsBesideWhatIsNot) {
    TopicFacts facts;
    facts.replication = 3;
    ASSERT_TRUE(take_settings({{"cleanup.policy", "compact"}}, facts));
    EXPECT_NE(shortfall(facts, "t", 3, 2).find("cleanup.policy=compact"), std::string::npos);
    facts.hidden.clear();
    facts.cleanup_policy = "delete";
    EXPECT_NE(shortfall(facts, "t", 3, 2).find("min.insync.replicas 1, below"), std::string::npos);
}

TEST(TopicSettings, NothingToldIsKafkasDefaults) {
    TopicFacts facts;
    ASSERT_TRUE(take_settings({}, facts));
    EXPECT_EQ(facts.hidden.size(), 6U);
    EXPECT_EQ(facts.max_message_bytes, 100'000'000) << "the broker decides";
    EXPECT_EQ(facts.retention_ms, 604'800'000);
    EXPECT_EQ(losing_setting(facts, "t"), "");
}

TEST(TopicSettings, NumberThatIsNoneIsRefused) {
    for (const char* name : {"min.insync.replicas", "max.message.bytes", "retention.ms", "retention.bytes"}) {
        TopicSettings told = all;
        told[name] = "many";
        TopicFacts facts;
        EXPECT_FALSE(take_settings(told, facts)) << name;
    }
}

}  // namespace
}  // namespace sluice::kafka
