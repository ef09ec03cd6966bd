#include "ctl/topics/topic_wishes.hpp"

#include <gtest/gtest.h>

#include "ctl/embedded.hpp"

namespace sluice::ctl {
namespace {

config::KafkaSettings settings() {
    config::KafkaSettings settings;
    settings.topic = "t";
    settings.quarantine_topic = "t.quarantine";
    settings.originals_topic = "t.originals";
    settings.dlq_topic = "t.g.dlq";
    settings.min_replication = 3;
    settings.min_insync = 2;
    return settings;
}

std::vector<TopicWish> read(const std::string& yaml, config::Problems& problems) {
    return read_topic_wishes(yaml, "topics.yaml", settings(), problems);
}

}  // namespace

TEST(TopicWishes, TheBuiltInFileHasAllFourAndRoomForDeadLetterHeaders) {
    config::Problems problems;
    const auto& file = kafka_topics().front();
    const auto wishes =
        read_topic_wishes(std::string{file.content}, std::string{file.name}, settings(), problems);
    EXPECT_FALSE(problems.any()) << problems.report();
    ASSERT_EQ(wishes.size(), 4U);
    EXPECT_EQ(wishes[0].name, "t");
    EXPECT_EQ(wishes[1].name, "t.quarantine");
    EXPECT_EQ(wishes[2].name, "t.originals");
    EXPECT_EQ(wishes[3].name, "t.g.dlq");
    EXPECT_GT(wishes[3].max_message_bytes, wishes[0].max_message_bytes);
    EXPECT_GT(wishes[0].max_message_bytes, (1 << 20) + 64 * 1024);
    for (const auto& wish : wishes) {
        EXPECT_EQ(wish.partitions, wishes[0].partitions) << wish.role;
        EXPECT_EQ(wish.replication, 3);
        EXPECT_EQ(wish.min_insync, 2);
    }
}

TEST(TopicWishes, TheCommandLineWinsForEveryTopic) {
    config::Problems problems;
    auto wishes = read("main: {partitions: 6}\ndlq: {partitions: 2}\n", problems);
    EXPECT_EQ(wishes[1].partitions, 2);
    override_wishes(wishes, 1, 1);
    for (const auto& wish : wishes) {
        EXPECT_EQ(wish.partitions, 1);
        EXPECT_EQ(wish.replication, 1);
        EXPECT_EQ(wish.min_insync, 1);  // else nothing could be written
    }
}

TEST(TopicWishes, MistakesNameTheirLine) {
    for (const auto& [yaml, line] : std::vector<std::pair<std::string, std::string>>{
             {"main: {partitions: 1}\nmian: {}\n", "topics.yaml:2"},
             {"main:\n  partitions: 1\n  retentoin: 1d\n", "topics.yaml:3"},
             {"main: {partitions: 0}\n", "topics.yaml:1"},
             {"main: {partitions: as_main}\n", "topics.yaml:1"},
             {"dlq: {}\n", "topics.yaml:1"},
             {"main: {\n", "topics.yaml:"}}) {
        config::Problems problems;
        static_cast<void>(read(yaml, problems));
        EXPECT_TRUE(problems.report().contains(line)) << yaml << problems.report();
    }
}

}  // namespace sluice::ctl
