#include "consumer/startup.hpp"

#include "common/kafka/error.hpp"
#include "consumer/store/connection.hpp"
#include "consumer/store/error.hpp"
#include "consumer/store/schema.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_tries{1000};
constexpr Milliseconds facts_within{5000};

std::string database_name(const config::MysqlSettings& mysql) {
    return "MySQL at " + mysql.host + ":" + std::to_string(mysql.port) + ", database " + mysql.database +
           ": ";
}

// Empty when all is well, else why it is not; throws for what waiting cannot mend.
std::string look_at_database(const Config& config, WallTime now) {
    const std::string where = database_name(config.mysql);
    store::ServerError error;
    auto connection = store::Connection::open(config.mysql, &error);
    if (!connection) return where + error.message;
    const auto verdict = store::check_schema(**connection, config.kafka.group, now);
    if (!verdict) return where + (*connection)->last_error().message;
    if (verdict->kind == store::SchemaVerdict::Kind::refuse) throw config::Refused{where + verdict->sentence};
    if (verdict->kind == store::SchemaVerdict::Kind::wait) return where + verdict->sentence;
    config::Problems problems;
    const auto checked = config.effects.check(**connection, problems);
    if (!checked) return where + (*connection)->last_error().message;
    if (problems.any()) throw config::Refused{problems.report()};
    if (!checked->empty()) return where + checked->front();
    return {};
}

}  // namespace

bool wait_for_database(const Config& config, const Clock& clock, Log& log, Readiness& readiness,
                       const WaitOrStop& wait) {
    std::string said;
    while (true) {
        const std::string why = look_at_database(config, clock.wall());
        if (why.empty()) {
            readiness.set_ready("mysql");
            return true;
        }
        readiness.set_unready("mysql", why);
        if (why != said) log.error("waiting_for_database", {{"reason", why}});
        said = why;
        if (!wait(between_tries)) return false;
    }
}

std::optional<kafka::TopicFacts> wait_for_topic(const Config& config, rd_kafka_t& client, Log& log,
                                                Readiness& readiness, const WaitOrStop& wait) {
    std::string said;
    while (true) {
        const auto facts = kafka::read_topic_facts(client, config.kafka.topic, facts_within);
        if (facts) {
            const std::string shortfall = store::keep_shortfall(config.inbox.keep, facts->retention_ms);
            if (!shortfall.empty()) throw config::Refused{shortfall};
            return *facts;
        }
        const bool missing = facts.error() == kafka::make_error(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
        const std::string why = "topic " + config.kafka.topic + " on " + config.kafka.brokers.front() +
                                (missing ? " does not exist: `sluicectl topics --apply` makes it"
                                         : ": " + facts.error().message());
        readiness.set_unready("kafka", why);
        if (why != said) log.error("waiting_for_topic", {{"reason", why}});
        said = why;
        if (!wait(between_tries)) return std::nullopt;
    }
}

}  // namespace sluice::consumer
