#include "consumer/process/startup.hpp"

#include <algorithm>
#include <map>

#include "common/kafka/error.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/schema/schema.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_tries{1000};
constexpr Milliseconds facts_within{5000};

std::string database_name(const config::MysqlSettings& mysql) {
    return "MySQL at " + mysql.host + ":" + std::to_string(mysql.port) + ", database " + mysql.database +
           ": ";
}

std::size_t largest_body_of(const webhook::SourceSet& sources) {
    std::size_t largest = 0;
    for (const auto& source : sources) largest = std::max(largest, source->max_body);
    return largest;
}

// The first effect's sentence where all lack something: no effect's table is there yet, and events wait in
// Kafka.
Result<std::string> look_at_effects(const Config& config, EffectHolds& holds, store::Connection& connection) {
    config::Problems problems;
    const auto missing = config.effects.check(connection, problems);
    if (!missing) return Failure{missing.error()};
    if (problems.any()) throw config::Refused{problems.report()};
    std::map<std::string, std::string> lacking;  // by effect, the first that it lacks
    for (const auto& lack : *missing) lacking.emplace(lack.effect, lack.sentence);
    if (!lacking.empty() && lacking.size() == config.effects.size()) return missing->front().sentence;
    for (const auto& [effect, what] : lacking) holds.lacks(effect, what);
    return std::string{};
}

// Empty when all is well, else why it is not; throws for what waiting cannot mend.
std::string look_at_database(Process& process, bool runs_effects) {
    const Config& config = process.config;
    const std::string where = database_name(config.mysql);
    store::ServerError error;
    auto connection = store::Connection::open(config.mysql, &error);
    if (!connection) return where + error.message;
    const auto verdict = store::check_schema(**connection, config.kafka.group,
                                             largest_body_of(config.sources), process.clock.wall());
    if (!verdict) return where + (*connection)->last_error().message;
    if (verdict->kind == store::SchemaVerdict::Kind::refuse) throw config::Refused{where + verdict->sentence};
    if (verdict->kind == store::SchemaVerdict::Kind::wait) return where + verdict->sentence;
    if (!process.database_clock.look(**connection)) return where + (*connection)->last_error().message;
    if (!runs_effects) return {};
    const auto lacking = look_at_effects(config, process.holds, **connection);
    if (!lacking) return where + (*connection)->last_error().message;
    return lacking->empty() ? std::string{} : where + *lacking;
}

struct Waiting {
    Log& log;
    Readiness& readiness;
    const WaitOrStop& wait;
    const char* concern;
};

// nullopt after a stop.
std::optional<kafka::TopicFacts> wait_for_facts(const Config& config, const std::string& topic,
                                                rd_kafka_t& client, const Waiting& waiting) {
    std::string said;
    while (true) {
        const auto facts = kafka::read_topic_facts(client, topic, facts_within);
        if (facts) {
            if (const auto hidden = kafka::hidden_settings(*facts, topic); !hidden.empty())
                waiting.log.warn("topic_settings_hidden", {{"reason", hidden}});
            return *facts;
        }
        const bool missing = facts.error() == kafka::make_error(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
        const std::string why =
            "topic " + topic + " on " + config.kafka.brokers.front() +
            (missing ? " does not exist: run `sluicectl topics --apply`" : ": " + facts.error().message());
        waiting.readiness.set_unready(waiting.concern, why);
        if (why != said) waiting.log.error("waiting_for_topic", {{"reason", why}});
        said = why;
        if (!waiting.wait(between_tries)) return std::nullopt;
    }
}

bool wait_until_usable(Process& process, const WaitOrStop& wait, bool runs_effects) {
    std::string said;
    while (true) {
        const std::string why = look_at_database(process, runs_effects);
        if (why.empty()) {
            process.readiness.set_ready("mysql");
            return true;
        }
        process.readiness.set_unready("mysql", why);
        if (why != said) process.log.error("waiting_for_database", {{"reason", why}});
        said = why;
        if (!wait(between_tries)) return false;
    }
}

}  // namespace

bool wait_for_database(Process& process, const WaitOrStop& wait) {
    return wait_until_usable(process, wait, true);
}

bool wait_for_tables(Process& process, const WaitOrStop& wait) {
    return wait_until_usable(process, wait, false);
}

std::optional<kafka::TopicFacts> wait_for_topic(const Config& config, rd_kafka_t& client, Log& log,
                                                Readiness& readiness, const WaitOrStop& wait) {
    auto facts = wait_for_facts(config, config.kafka.topic, client, {log, readiness, wait, "kafka"});
    if (!facts) return std::nullopt;
    const std::string shortfall = store::keep_shortfall(config.inbox.keep, facts->retention_ms);
    if (!shortfall.empty() && !facts->hides("retention.ms")) throw config::Refused{shortfall};
    return facts;
}

std::optional<std::vector<kafka::TopicFacts>> wait_for_topics(const Config& config,
                                                              std::span<const std::string> topics,
                                                              rd_kafka_t& client, Log& log,
                                                              Readiness& readiness, const char* concern,
                                                              const WaitOrStop& wait) {
    std::vector<kafka::TopicFacts> all;
    for (const std::string& topic : topics) {
        auto facts = wait_for_facts(config, topic, client, {log, readiness, wait, concern});
        if (!facts) return std::nullopt;
        all.push_back(std::move(*facts));
    }
    return all;
}

}  // namespace sluice::consumer
