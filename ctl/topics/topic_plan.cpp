#include "ctl/topics/topic_plan.hpp"

#include <array>
#include <format>
#include <utility>

#include "ctl/cli/table.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t for_ever = -1;

bool is_shorter(std::int64_t retention_ms, std::chrono::milliseconds wished) {
    return retention_ms != for_ever && retention_ms < wished.count();
}

bool has_partitions(const TopicWish& wish, int found) {
    return found == wish.partitions || (found > wish.partitions && wish.may_have_more);
}

std::string other_partitions(const TopicWish& wish, int found) {
    const auto what = std::format("{} has {} partitions, should have {}", wish.name, found, wish.partitions);
    if (wish.role != "main") return what + ": more partitions move keys, so drain the topic first";
    return what +
           ". Another number would move keys to other partitions and break the order of an object's events, "
           "so nothing is changed. See docs/upgrade.md, \"The number of partitions\"";
}

Json wish_json(const TopicWish& wish) {
    return {{"partitions", wish.partitions},
            {"replication", wish.replication},
            {"min_insync", wish.min_insync},
            {"retention_ms", wish.retention.count()},
            {"max_message_bytes", wish.max_message_bytes}};
}

Json facts_json(const kafka::TopicFacts& facts) {
    return {{"topic_id", facts.topic_id},         {"partitions", facts.partitions},
            {"replication", facts.replication},   {"min_insync", facts.min_insync},
            {"retention_ms", facts.retention_ms}, {"max_message_bytes", facts.max_message_bytes}};
}

}  // namespace

std::string TopicLine::state() const {
    if (created) return "created";
    if (!facts) return "missing";
    return shortfalls.empty() ? "as wished" : "differs";
}

TopicLine compare(const TopicWish& wish, const std::optional<kafka::TopicFacts>& facts) {
    TopicLine line{.wish = wish, .facts = facts, .shortfalls = {}};
    if (!facts) return line;
    auto& shortfalls = line.shortfalls;
    if (wish.partitions_asked_for && !has_partitions(wish, facts->partitions))
        shortfalls.push_back(other_partitions(wish, facts->partitions));
    if (facts->replication < wish.replication) {
        shortfalls.push_back(
            std::format("{} has {} replicas, should have {}: kafka-reassign-partitions adds them", wish.name,
                        facts->replication, wish.replication));
    }
    if (facts->min_insync < wish.min_insync && !facts->hides("min.insync.replicas")) {
        shortfalls.push_back(std::format("{} has min.insync.replicas={}, should be {}", wish.name,
                                         facts->min_insync, wish.min_insync));
    }
    if (is_shorter(facts->retention_ms, wish.retention) && !facts->hides("retention.ms")) {
        shortfalls.push_back(std::format("{} keeps records for {}, should be {}", wish.name,
                                         retention_text(facts->retention_ms),
                                         retention_text(wish.retention.count())));
    }
    if (facts->max_message_bytes < wish.max_message_bytes) {
        shortfalls.push_back(std::format("{} has max.message.bytes={}, should be {}", wish.name,
                                         facts->max_message_bytes, wish.max_message_bytes));
    }
    if (auto loses = kafka::losing_setting(*facts, wish.name); !loses.empty())
        shortfalls.push_back(std::move(loses));
    return line;
}

Json to_json(const std::vector<TopicLine>& lines) {
    Json topics = Json::array();
    for (const auto& line : lines) {
        topics.push_back({{"role", line.wish.role},
                          {"topic", line.wish.name},
                          {"state", line.state()},
                          {"shortfalls", line.shortfalls},
                          {"wished", wish_json(line.wish)},
                          {"found", line.facts ? facts_json(*line.facts) : Json(nullptr)}});
    }
    return {{"topics", std::move(topics)}};
}

std::string to_people(const std::vector<TopicLine>& lines) {
    Table table{{"TOPIC", "STATE", "PARTITIONS", "REPLICAS", "MIN IN SYNC", "RETENTION", "MAX BYTES"}};
    std::string shortfalls;
    for (const auto& line : lines) {
        const TopicWish& wish = line.wish;
        const auto& facts = line.facts;
        table.row({wish.name, line.state(), std::to_string(facts ? facts->partitions : wish.partitions),
                   std::to_string(facts ? facts->replication : wish.replication),
                   std::to_string(facts ? facts->min_insync : wish.min_insync),
                   retention_text(facts ? facts->retention_ms : wish.retention.count()),
                   std::to_string(facts ? facts->max_message_bytes : wish.max_message_bytes)});
        for (const auto& shortfall : line.shortfalls) shortfalls += shortfall + "\n";
    }
    return table.text() + (shortfalls.empty() ? "" : "\n" + shortfalls);
}

std::string retention_text(std::int64_t milliseconds) {
    if (milliseconds == for_ever) return "forever";
    constexpr std::array<std::pair<std::int64_t, char>, 4> units{
        {{86'400'000, 'd'}, {3'600'000, 'h'}, {60'000, 'm'}, {1'000, 's'}}};
    for (const auto& [length, letter] : units) {
        if (milliseconds >= length && milliseconds % length == 0)
            return std::to_string(milliseconds / length) + letter;
    }
    return std::to_string(milliseconds) + "ms";
}

}  // namespace sluice::ctl
