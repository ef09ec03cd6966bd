#include "ctl/topics/topic_wishes.hpp"

#include <gtest/gtest.h>

#include "ctl/cli/embedded.hpp"

namespace sluice::ctl {
namespace {

config::KafkaSettings settings() {
    config::KafkaSettings settings;
    settings.topic = "t";
    settings.quarantine_topic = "t.quarantine";
    settings.originals_topic = "t.originals";
    settings.group = "g";
    settings.dlq_topic = "t.g.dlq";
    settings.command_topic = "t.g.cmd";
    settings.min_replication = 3;
    settings.min_insync = 2;
    return settings;
}

std::vector<TopicWish> read(const std::string& yaml, config::Problems& problems) {
    return read_topic_wishes(yaml, "topics.yaml", {settings()}, problems);
}

std::string hot_topic_of(const std::string& commands) {
    config::Problems problems;
    const auto document = config::Document::from_text("kafka: {brokers: [a]}\n" + commands, "f", problems);
    const std::string topic = read_topic_names(document, problems).hot;
    EXPECT_FALSE(problems.any()) << problems.report();
    return topic;
}

}  // namespace

TEST(TopicWishes, TheBuiltInFileHasAllAndRoomForDeadLetterHeaders) {
    config::Problems problems;
    const auto& file = kafka_topics().front();
    const auto wishes =
        read_topic_wishes(std::string{file.content}, std::string{file.name}, {settings(), "hot"}, problems);
    EXPECT_FALSE(problems.any()) << problems.report();
    std::vector<std::string> names;
    for (const auto& wish : wishes) names.push_back(wish.name);
    ASSERT_EQ(names, (std::vector<std::string>{"t", "t.quarantine", "t.originals", "t.g.dlq", "t.g.retry.5s",
                                               "t.g.retry.30s", "t.g.retry.2m", "t.g.retry.10m",
                                               "t.g.retry.1h", "t.g.cmd", "hot"}));
    EXPECT_GT(wishes[3].max_message_bytes, wishes[0].max_message_bytes);
    EXPECT_GT(wishes[0].max_message_bytes, (1 << 20) + 64 * 1024);
    for (const auto& wish : wishes) {
        const bool as_main =
            wish.role == "main" || wish.role == "originals" || wish.role == "dlq" || wish.role == "hot";
        EXPECT_EQ(wish.partitions, as_main ? 12 : 3) << wish.role;
        EXPECT_EQ(wish.replication, 3);
        EXPECT_EQ(wish.min_insync, 2);
    }
}

TEST(TopicWishes, WithoutWebhooksThereIsTheTopicOfHotAccountsAlone) {
    config::Problems problems;
    const auto& file = kafka_topics().front();
    const auto wishes = read_topic_wishes(std::string{file.content}, std::string{file.name},
                                          {settings(), "hot", false}, problems);
    ASSERT_EQ(wishes.size(), 1U);
    EXPECT_EQ(wishes[0].name, "hot");
    EXPECT_EQ(wishes[0].partitions, 12);
}

TEST(TopicWishes, CommandsWithoutSourcesHaveNoWebhooks) {
    config::Problems problems;
    const auto has = [&problems](const std::string& yaml) {
        return has_webhooks(config::Document::from_text(yaml, "f", problems));
    };
    EXPECT_FALSE(has("commands: []"));
    EXPECT_TRUE(has("commands: []\nsources: []"));
    EXPECT_TRUE(has("mysql: {}")) << "a file that lacks both is told what it lacks";
}

TEST(TopicWishes, OneEntryStandsForTheTopicsOfAllTiers) {
    config::Problems problems;
    const auto wishes = read("main: {partitions: 6}\nretry: {retention: 3d}\n", problems);
    ASSERT_EQ(wishes.size(), 6U) << problems.report();
    for (std::size_t i = 1; i < wishes.size(); ++i) {
        EXPECT_EQ(wishes[i].role, "retry");
        EXPECT_EQ(wishes[i].partitions, 6);
        EXPECT_EQ(wishes[i].retention, std::chrono::days{3});
    }
}

TEST(TopicWishes, TheCommandLineWinsForTheMainTopicAndThoseThatFollowIt) {
    config::Problems problems;
    auto wishes = read("main: {partitions: 6}\ndlq: {}\ncommands: {partitions: 2}\n", problems);
    EXPECT_EQ(wishes[1].partitions, 6);
    override_wishes(wishes, 1, 1);
    for (const auto& wish : wishes) {
        EXPECT_EQ(wish.partitions, wish.role == "commands" ? 2 : 1);
        EXPECT_EQ(wish.partitions_asked_for, wish.role != "commands");
        EXPECT_EQ(wish.replication, 1);
        EXPECT_EQ(wish.min_insync, 1);  // else nothing could be written
    }
}

TEST(TopicWishes, CommandsHaveATopicWhereOneOfThemHasHotAccounts) {
    EXPECT_EQ(hot_topic_of(""), "");
    EXPECT_EQ(hot_topic_of("commands: [{name: a}]\ncommand: {topic: other}\n"), "");
    EXPECT_EQ(hot_topic_of("commands: [{name: a}, {name: b, hot: {}}]\n"), "sluice.commands");
    EXPECT_EQ(hot_topic_of("commands: [{name: b, hot: {}}]\ncommand: {topic: other}\n"), "other");
    config::Problems problems;
    EXPECT_EQ(read("main: {partitions: 6}\nhot: {partitions: 6}\n", problems).size(), 1U);
    EXPECT_FALSE(problems.any()) << problems.report();
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
