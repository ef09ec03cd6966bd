#include "ctl/doctor/kafka_checks.hpp"

#include <algorithm>
#include <format>

#include "consumer/store/schema/schema.hpp"
#include "ctl/topics/kafka_admin.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t room_for_headers = 64 * 1024;

/// Nothing writes to `originals` before a recipe with batches is configured.
Level level_when_missing(const std::string& role) {
    return role == "originals" ? Level::warn : Level::fail;
}

std::string description_of(const kafka::TopicFacts& facts, const std::string& name) {
    return std::format("{}: {} partitions, {} replicas, at least {} in sync, kept {}, topic id {}", name,
                       facts.partitions, facts.replication, facts.min_insync,
                       retention_text(facts.retention_ms), facts.topic_id);
}

/// Records of retry topics have no value, and those of hot accounts no webhook.
bool carries_bodies(const std::string& role) {
    return role != "retry" && role != "hot";
}

void judge_size(const TopicLine& line, const TopicDemands& demands, Findings& findings) {
    const std::int64_t needed = static_cast<std::int64_t>(demands.largest_body) + room_for_headers;
    if (!carries_bodies(line.wish.role) || line.facts->max_message_bytes >= needed) return;
    findings.push_back(
        {"kafka." + line.wish.role, Level::fail,
         std::format(
             "{} accepts records of {} bytes, but a source's bodies may need {}: raise max.message.bytes",
             line.wish.name, line.facts->max_message_bytes, needed)});
}

void judge_retention(const TopicLine& line, const TopicDemands& demands, Findings& findings) {
    if (line.wish.role != "main" || line.facts->hides("retention.ms")) return;
    const std::string sentence = store::keep_shortfall(demands.keep, line.facts->retention_ms);
    if (!sentence.empty()) findings.push_back({"kafka.main", Level::fail, sentence});
}

void judge_existing(const TopicLine& line, const TopicDemands& demands, Findings& findings) {
    const std::string check = "kafka." + line.wish.role;
    const std::size_t before = findings.size();
    const std::string shortfall =
        kafka::shortfall(*line.facts, line.wish.name, demands.min_replication, demands.min_insync);
    if (!shortfall.empty()) findings.push_back({check, Level::fail, shortfall});
    judge_size(line, demands, findings);
    judge_retention(line, demands, findings);
    if (const auto hidden = kafka::hidden_settings(*line.facts, line.wish.name); !hidden.empty())
        findings.push_back({check, Level::warn, hidden});
    if (findings.size() == before) {
        for (const auto& less : line.shortfalls) findings.push_back({check, Level::warn, less});
    }
    if (findings.size() == before)
        findings.push_back({check, Level::ok, description_of(*line.facts, line.wish.name)});
}

// Its topic may be hidden from us by its owners: other findings are told all the same.
Finding check_destination(KafkaAdmin& kafka, const std::string& destination, const std::string& topic) {
    try {
        return judge_destination(destination, topic, kafka.facts(topic).has_value());
    } catch (const Stopped& stopped) {
        return {"kafka.destination", Level::warn, stopped.what()};
    }
}

}  // namespace

Findings judge_topics(const std::vector<TopicLine>& lines, const TopicDemands& demands) {
    Findings findings;
    for (const auto& line : lines) {
        if (line.facts) {
            judge_existing(line, demands, findings);
        } else {
            findings.push_back({"kafka." + line.wish.role, level_when_missing(line.wish.role),
                                line.wish.name + " does not exist: run `sluicectl topics --apply`"});
        }
    }
    return findings;
}

Finding judge_destination(const std::string& destination, const std::string& topic, bool exists) {
    if (exists)
        return {"kafka.destination", Level::ok,
                topic + " is there for the messages to '" + destination + "'"};
    return {"kafka.destination", Level::fail,
            topic + " does not exist: create it, or the messages to '" + destination + "' wait for it"};
}

Findings judge_groups(const std::string& group, int main_members, int retry_members) {
    const auto judge = [](const std::string& check, const std::string& name, int members,
                          const std::string& otherwise) -> Finding {
        if (members > 0)
            return {check, Level::ok,
                    name + " has " + std::to_string(members) + (members == 1 ? " member" : " members")};
        return {check, Level::warn, "no consumer is in " + name + ": " + otherwise};
    };
    return {judge("kafka.group", group, main_members, "webhooks are not applied until sluice-consumer runs"),
            judge("kafka.retry_group", group + ".retry", retry_members,
                  "lanes are not woken and commands are not carried out until sluice-consumer runs with "
                  "--role retry or both")};
}

Findings check_kafka(const config::KafkaSettings& settings, const std::vector<TopicWish>& wishes,
                     const TopicDemands& demands) {
    try {
        KafkaAdmin kafka{settings, std::chrono::seconds{5}};
        kafka.reach();
        std::vector<TopicLine> lines;
        for (const auto& wish : wishes) lines.push_back(compare(wish, kafka.facts(wish.name)));
        const auto known =
            std::ranges::find_if(lines, [](const auto& line) { return line.facts.has_value(); });
        const std::string cluster = known == lines.end() ? "" : ", cluster id " + known->facts->cluster_id;
        Findings findings{{"kafka", Level::ok, "a broker answers" + cluster}};
        append(findings, judge_topics(lines, demands));
        append(findings, judge_groups(settings.group, kafka.members(settings.group),
                                      kafka.members(settings.group + ".retry")));
        for (const auto& [name, to] : demands.destinations) {
            if (const auto* topic = std::get_if<destination::Topic>(&to))
                findings.push_back(check_destination(kafka, name, topic->name));
        }
        return findings;
    } catch (const Stopped& stopped) {
        return {{"kafka", Level::fail, stopped.what()}};
    } catch (const config::Refused& refused) {
        return {{"kafka", Level::fail, refused.what()}};
    }
}

}  // namespace sluice::ctl
