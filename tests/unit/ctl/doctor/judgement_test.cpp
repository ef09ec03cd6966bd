#include <algorithm>

#include <gtest/gtest.h>

#include "ctl/doctor/kafka_checks.hpp"
#include "ctl/doctor/mysql_checks.hpp"
#include "ctl/doctor/recorded_checks.hpp"
#include "ctl/doctor/redis_checks.hpp"

namespace sluice::ctl {
namespace {

Level level_of(const Findings& findings, const std::string& check) {
    Level worst = Level::ok;
    bool found = false;
    for (const auto& finding : findings) {
        if (finding.check != check) continue;
        found = true;
        worst = std::max(worst, finding.level);
    }
    EXPECT_TRUE(found) << check;
    return worst;
}

MysqlFacts healthy_mysql() {
    MysqlFacts facts;
    facts.variables = {{"version", "9.1.0"},
                       {"innodb_flush_log_at_trx_commit", "1"},
                       {"log_bin", "ON"},
                       {"sync_binlog", "1"},
                       {"binlog_format", "ROW"},
                       {"replica_preserve_commit_order", "ON"},
                       {"read_only", "OFF"},
                       {"super_read_only", "OFF"},
                       {"max_allowed_packet", "67108864"}};
    facts.group = "sluice";
    facts.days_ahead = 7;
    facts.time = WallTime{};
    return facts;
}

Level mysql_with(const std::string& check, const std::string& name, const std::string& value) {
    MysqlFacts facts = healthy_mysql();
    facts.variables[name] = value;
    return level_of(judge_mysql(facts, {.group = "sluice", .largest_body = 1 << 20}, WallTime{}), check);
}

TopicLine topic(const std::string& role) {
    kafka::TopicFacts facts;
    facts.partitions = 1;
    facts.replication = 3;
    facts.min_insync = 2;
    facts.retention_ms = 604'800'000;
    facts.max_message_bytes = 2'097'152;
    return {.wish = {.role = role, .name = "t." + role}, .facts = facts, .shortfalls = {}};
}

const TopicDemands demands{
    .keep = std::chrono::days{90}, .largest_body = 1 << 20, .min_replication = 3, .min_insync = 2};

}  // namespace

TEST(JudgeMysql, AHealthyServerIsWellThroughout) {
    EXPECT_EQ(exit_of(judge_mysql(healthy_mysql(), {.group = "sluice"}, WallTime{})), Exit::ok);
    for (const auto& finding : judge_mysql(healthy_mysql(), {.group = "sluice"}, WallTime{})) {
        EXPECT_EQ(finding.level, Level::ok) << finding.check << ": " << finding.sentence;
    }
}

TEST(JudgeMysql, EachSettingThatCostsSomethingIsSaid) {
    EXPECT_EQ(mysql_with("mysql.flush", "innodb_flush_log_at_trx_commit", "2"), Level::warn);
    EXPECT_EQ(mysql_with("mysql.binlog", "sync_binlog", "0"), Level::warn);
    EXPECT_EQ(mysql_with("mysql.binlog", "binlog_format", "STATEMENT"), Level::fail);
    EXPECT_EQ(mysql_with("mysql.commit_order", "replica_preserve_commit_order", "OFF"), Level::fail);
    EXPECT_EQ(mysql_with("mysql.writable", "read_only", "ON"), Level::fail);
    EXPECT_EQ(mysql_with("mysql.writable", "super_read_only", "ON"), Level::fail);
    EXPECT_EQ(mysql_with("mysql.packet", "max_allowed_packet", "1048576"), Level::fail);
}

TEST(JudgeMysql, APacketIsJudgedByTheLargestBodyThatASourceTakes) {
    MysqlFacts facts = healthy_mysql();
    facts.variables["max_allowed_packet"] = "4194304";
    const auto fails = [&](std::size_t largest_body) {
        const auto findings =
            judge_mysql(facts, {.group = "sluice", .largest_body = largest_body}, WallTime{});
        return std::ranges::contains(findings, "mysql.packet", &Finding::check);
    };
    EXPECT_FALSE(fails(512 << 10));
    EXPECT_TRUE(fails(8 << 20));
}

TEST(JudgeMysql, WithoutABinaryLogItsSettingsDoNotMatter) {
    MysqlFacts facts = healthy_mysql();
    facts.variables["log_bin"] = "OFF";
    facts.variables["sync_binlog"] = "0";
    EXPECT_EQ(level_of(judge_mysql(facts, {}, WallTime{}), "mysql.binlog"), Level::ok);
}

TEST(JudgeMysql, MissingMigrationsFail) {
    MysqlFacts facts = healthy_mysql();
    facts.migrations.pending.push_back({.version = 2, .name = "0002_applied_offset", .sql = ""});
    EXPECT_EQ(level_of(judge_mysql(facts, {}, WallTime{}), "mysql.migrations"), Level::fail);
    facts = healthy_mysql();
    facts.migrations.problems.emplace_back("changed");
    EXPECT_EQ(level_of(judge_mysql(facts, {}, WallTime{}), "mysql.migrations"), Level::fail);
}

TEST(JudgeMysql, AnotherGroupsDatabaseFails) {
    EXPECT_EQ(level_of(judge_mysql(healthy_mysql(), {.group = "other"}, WallTime{}), "mysql.group"),
              Level::fail);
    MysqlFacts nobodys = healthy_mysql();
    nobodys.group.reset();
    EXPECT_EQ(level_of(judge_mysql(nobodys, {.group = "other"}, WallTime{}), "mysql.group"), Level::ok);
}

TEST(JudgeMysql, MessagesThatNobodySendsAreSaid) {
    MysqlFacts facts = healthy_mysql();
    const WallTime now{std::chrono::hours{1}};
    facts.time = now;
    facts.waiting = {{.destination = "mail", .count = 2, .oldest = now - std::chrono::minutes{9}}};
    const MysqlDemands demands{.group = "sluice", .destinations = {"mail"}};
    EXPECT_FALSE(std::ranges::contains(judge_mysql(facts, demands, now), "mysql.messages", &Finding::check));
    facts.waiting.front().oldest = now - std::chrono::minutes{12};
    EXPECT_EQ(level_of(judge_mysql(facts, demands, now), "mysql.messages"), Level::warn);
    EXPECT_EQ(level_of(judge_mysql(facts, {.group = "sluice"}, now), "mysql.messages"), Level::fail)
        << "the file has no such destination any more";
}

TEST(JudgeMysql, SeveralPrimariesFail) {
    MysqlFacts facts = healthy_mysql();
    facts.variables["wsrep_on"] = "ON";
    EXPECT_EQ(level_of(judge_mysql(facts, {}, WallTime{}), "mysql.primary"), Level::fail);
}

TEST(JudgeMysql, PreparedStatementsThatRunOutAreSaid) {
    MysqlFacts facts = healthy_mysql();
    facts.variables["max_prepared_stmt_count"] = "16382";
    facts.prepared_statements = 8191;
    EXPECT_EQ(level_of(judge_mysql(facts, {}, WallTime{}), "mysql.statements"), Level::ok);
    facts.prepared_statements = 8192;
    EXPECT_EQ(level_of(judge_mysql(facts, {}, WallTime{}), "mysql.statements"), Level::warn);
}

TEST(JudgeMysql, NoPartitionsAheadIsSaid) {
    MysqlFacts facts = healthy_mysql();
    facts.days_ahead = 1;
    EXPECT_EQ(level_of(judge_mysql(facts, {}, WallTime{}), "mysql.partitions"), Level::warn);
}

TEST(JudgeRedis, EachThingThatIsWrongIsSaid) {
    const RedisFacts healthy{
        .version = "7.2.4", .eviction_policy = "noeviction", .claim_refusal = "", .time = WallTime{}};
    EXPECT_EQ(exit_of(judge_redis("r", healthy, WallTime{})), Exit::ok);
    RedisFacts facts = healthy;
    facts.version = "6.2.14";
    EXPECT_EQ(level_of(judge_redis("r", facts, WallTime{}), "redis.version"), Level::fail);
    facts = healthy;
    facts.eviction_policy = "allkeys-lru";
    EXPECT_EQ(level_of(judge_redis("r", facts, WallTime{}), "redis.eviction"), Level::warn);
    facts = healthy;
    facts.claim_refusal = "NOPERM";
    EXPECT_EQ(level_of(judge_redis("r", facts, WallTime{}), "redis.claim"), Level::fail);
    facts = healthy;
    facts.version = std::unexpected{"NOPERM this user may not run INFO"};
    const Findings unasked = judge_redis("r", facts, WallTime{});
    EXPECT_EQ(level_of(unasked, "redis.version"), Level::warn);
    EXPECT_TRUE(std::ranges::any_of(unasked, [](const Finding& f) { return f.sentence.contains("NOPERM"); }));
}

TEST(JudgeRedis, FindsFieldsOfInfoByTheirWholeName) {
    const std::string info = "# Server\r\nredis_version:8.0.2\r\nx_redis_version:1\r\nmode:\r\n";
    EXPECT_EQ(info_field(info, "redis_version"), "8.0.2");
    EXPECT_EQ(info_field(info, "mode"), "");
    EXPECT_FALSE(info_field(info, "version"));
}

TEST(JudgeTopics, HealthyTopicsAreWell) {
    EXPECT_EQ(exit_of(judge_topics({topic("main"), topic("dlq")}, demands)), Exit::ok);
}

TEST(JudgeTopics, ASettingThatLosesEventsFailsForEveryTopic) {
    for (const char* role : {"main", "quarantine", "originals", "dlq", "retry", "commands"}) {
        TopicLine line = topic(role);
        line.facts->retention_bytes = 1 << 30;
        EXPECT_EQ(level_of(judge_topics({line}, demands), std::string{"kafka."} + role), Level::fail);
    }
}

TEST(JudgeTopics, WhatTheBrokerDoesNotTellIsAWarning) {
    TopicLine line = topic("main");
    line.facts->min_insync = 1;
    line.facts->hidden = {"min.insync.replicas"};
    EXPECT_EQ(level_of(judge_topics({line}, demands), "kafka.main"), Level::warn);
    EXPECT_EQ(exit_of(judge_topics({line}, demands)), Exit::ok);
}

TEST(JudgeTopics, AMissingTopicFailsUnlessNothingUsesItYet) {
    TopicLine missing = topic("main");
    missing.facts.reset();
    EXPECT_EQ(level_of(judge_topics({missing}, demands), "kafka.main"), Level::fail);
    missing.wish.role = "originals";
    EXPECT_EQ(level_of(judge_topics({missing}, demands), "kafka.originals"), Level::warn);
}

TEST(JudgeTopics, TheTopicOfADestinationHasToBeThere) {
    EXPECT_EQ(judge_destination("shop", "shop.orders", true).level, Level::ok);
    const Finding missing = judge_destination("shop", "shop.orders", false);
    EXPECT_EQ(missing.level, Level::fail);
    EXPECT_EQ(missing.sentence,
              "shop.orders does not exist: create it, or the messages to 'shop' wait for it");
}

TEST(JudgeGroups, ARoleThatDoesNotRunIsToldAndNoFailure) {
    const Findings both = judge_groups("shop", 3, 1);
    EXPECT_EQ(level_of(both, "kafka.group"), Level::ok);
    EXPECT_EQ(level_of(both, "kafka.retry_group"), Level::ok);
    const Findings none = judge_groups("shop", 3, 0);
    EXPECT_EQ(level_of(none, "kafka.retry_group"), Level::warn);
    EXPECT_TRUE(none.back().sentence.contains("no consumer is in shop.retry")) << none.back().sentence;
    EXPECT_EQ(exit_of(none), Exit::ok);
}

TEST(JudgeTopics, ARetryTopicNeedsNoRoomForBodies) {
    TopicLine retry = topic("retry");
    retry.facts->max_message_bytes = 1'048'588;
    EXPECT_EQ(level_of(judge_topics({retry}, demands), "kafka.retry"), Level::ok);
    retry.facts.reset();
    EXPECT_EQ(level_of(judge_topics({retry}, demands), "kafka.retry"), Level::fail);
}

TEST(JudgeTopics, TooFewCopiesTooSmallOrKeptTooLongFails) {
    const auto with = [](auto change) {
        TopicLine line = topic("main");
        change(*line.facts);
        return level_of(judge_topics({line}, demands), "kafka.main");
    };
    EXPECT_EQ(with([](auto& f) { f.replication = 1; }), Level::fail);
    EXPECT_EQ(with([](auto& f) { f.min_insync = 1; }), Level::fail);
    EXPECT_EQ(with([](auto& f) { f.max_message_bytes = 1'048'588; }), Level::fail);
    EXPECT_EQ(with([](auto& f) { f.retention_ms = 91LL * 86'400'000; }), Level::fail);
    EXPECT_EQ(with([](auto& f) { f.retention_ms = -1; }), Level::fail);
}

TEST(Judgement, KeysAreSpreadAsRecorded) {
    kafka::TopicFacts facts;
    facts.partitions = 24;
    config::KafkaSettings settings;
    settings.topic = "t";
    const auto level = [&](std::optional<int> recorded) {
        return judge_spread(facts, settings, recorded).level;
    };
    EXPECT_EQ(level(std::nullopt), Level::ok);
    EXPECT_EQ(level(24), Level::ok);
    EXPECT_EQ(level(12), Level::fail);
    settings.partitions = 12;
    EXPECT_EQ(level(12), Level::ok);
    EXPECT_EQ(level(24), Level::fail);
    settings.partitions = 48;
    EXPECT_EQ(level(48), Level::fail);
}

}  // namespace sluice::ctl
