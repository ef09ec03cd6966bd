#include "ctl/topics/topic_plan.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

const TopicWish wish{.role = "main",
                     .name = "t",
                     .partitions = 12,
                     .partitions_asked_for = true,
                     .replication = 3,
                     .min_insync = 2,
                     .retention = std::chrono::days{7},
                     .max_message_bytes = 2'097'152};

kafka::TopicFacts facts() {
    kafka::TopicFacts facts;
    facts.topic_id = "id";
    facts.partitions = 12;
    facts.replication = 3;
    facts.min_insync = 2;
    facts.retention_ms = 604'800'000;
    facts.max_message_bytes = 2'097'152;
    return facts;
}

}  // namespace

TEST(TopicPlan, MissingIsNoShortfall) {
    const TopicLine line = compare(wish, std::nullopt);
    EXPECT_EQ(line.state(), "missing");
    EXPECT_TRUE(line.shortfalls.empty());
}

TEST(TopicPlan, AsWishedOrMoreIsWell) {
    EXPECT_EQ(compare(wish, facts()).state(), "as wished");
    auto more = facts();
    more.partitions = 24;
    more.replication = 5;
    more.min_insync = 3;
    more.retention_ms = -1;
    more.max_message_bytes *= 2;
    EXPECT_EQ(compare(wish, more).state(), "as wished");
}

TEST(TopicPlan, ASettingThatLosesEventsIsAShortfall) {
    auto compacted = facts();
    compacted.cleanup_policy = "compact";
    const TopicLine line = compare(wish, compacted);
    ASSERT_EQ(line.shortfalls.size(), 1U);
    EXPECT_TRUE(line.shortfalls[0].contains("cleanup.policy")) << line.shortfalls[0];
}

TEST(TopicPlan, AnotherNumberOfPartitionsForTheEventsIsRefusedEitherWay) {
    TopicWish events = wish;
    events.may_have_more = false;
    for (const int found : {6, 24}) {
        auto other = facts();
        other.partitions = found;
        const TopicLine line = compare(events, other);
        ASSERT_EQ(line.shortfalls.size(), 1U) << found;
        EXPECT_TRUE(line.shortfalls[0].contains("break the order of an object's events"))
            << line.shortfalls[0];
        EXPECT_TRUE(line.shortfalls[0].contains("docs/upgrade.md")) << line.shortfalls[0];
    }
}

TEST(TopicPlan, EachThingThatIsLessIsAShortfall) {
    const auto sentence_for = [](auto change) {
        auto less = facts();
        change(less);
        const TopicLine line = compare(wish, less);
        EXPECT_EQ(line.state(), "differs");
        return line.shortfalls.size() == 1 ? line.shortfalls.front() : "";
    };
    EXPECT_TRUE(sentence_for([](auto& f) { f.partitions = 6; }).contains("6 partitions"));
    EXPECT_TRUE(sentence_for([](auto& f) { f.replication = 1; }).contains("1 replicas"));
    EXPECT_TRUE(sentence_for([](auto& f) { f.min_insync = 1; }).contains("min.insync.replicas=1"));
    EXPECT_TRUE(sentence_for([](auto& f) { f.retention_ms = 3'600'000; }).contains("for 1h, should be 7d"));
    EXPECT_TRUE(sentence_for([](auto& f) { f.max_message_bytes = 1000; }).contains("max.message.bytes=1000"));
}

TEST(TopicPlan, PartitionsThatNobodyAskedForAreRightAsTheyAre) {
    TopicWish by_default = wish;
    by_default.partitions_asked_for = false;
    auto fewer = facts();
    fewer.partitions = 4;
    EXPECT_EQ(compare(by_default, fewer).state(), "as wished");
}

TEST(TopicPlan, JsonSaysWhatIsWishedAndWhatIsThere) {
    const Json json = to_json({compare(wish, std::nullopt), compare(wish, facts())});
    EXPECT_TRUE(json["topics"][0]["found"].is_null());
    EXPECT_EQ(json["topics"][0]["wished"]["partitions"], 12);
    EXPECT_EQ(json["topics"][1]["found"]["topic_id"], "id");
}

TEST(TopicPlan, RetentionIsSaidInTheLargestWholeUnit) {
    EXPECT_EQ(retention_text(-1), "forever");
    EXPECT_EQ(retention_text(604'800'000), "7d");
    EXPECT_EQ(retention_text(90'000), "90s");
    EXPECT_EQ(retention_text(129'600'000), "36h");
    EXPECT_EQ(retention_text(1'500), "1500ms");
}

}  // namespace sluice::ctl
