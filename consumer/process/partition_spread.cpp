#include "consumer/process/partition_spread.hpp"

#include <optional>

#include "consumer/store/driver/connection.hpp"
#include "consumer/store/schema/partition_count.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_looks_at_spread{1000};
constexpr Milliseconds spread_within{5000};

struct Spread {
    int partitions = 0;
    std::string trouble;          // empty: all is well
    std::optional<bool> changed;  // nullopt: not known now
};

/// Whether a partition holds records; nullopt, and `why`, where that is not known.
std::optional<bool> holds_events(rd_kafka_t& client, const std::string& topic, int partition,
                                 std::string& why) {
    std::int64_t start = 0;
    std::int64_t end = 0;
    const auto code = rd_kafka_query_watermark_offsets(&client, topic.c_str(), partition, &start, &end,
                                                       static_cast<int>(spread_within.count()));
    if (code == RD_KAFKA_RESP_ERR_NO_ERROR) return end > start;
    why = "the end of partition " + std::to_string(partition) + " cannot be read: " + rd_kafka_err2str(code);
    return std::nullopt;
}

// Of a topic with more partitions than are used: a producer may spread keys over all of them.
Spread look_for_strays(const kafka::TopicFacts& facts, const std::string& topic, int spread,
                       rd_kafka_t& client) {
    std::string unread;
    for (int partition = spread; partition < facts.partitions; ++partition) {
        if (!holds_events(client, topic, partition, unread).value_or(false)) continue;
        return {0,
                "partition " + std::to_string(partition) +
                    " has events: " + kafka::spread_changed(topic, spread, facts.partitions),
                true};
    }
    if (!unread.empty()) return {0, std::move(unread), std::nullopt};
    return {spread, {}, false};
}

Spread look_at_spread(const Config& config, rd_kafka_t& client, WallTime now) {
    const std::string& topic = config.kafka.topic;
    const auto facts = kafka::read_topic_facts(client, topic, spread_within);
    if (!facts) return {0, "topic " + topic + ": " + facts.error().message(), std::nullopt};
    const int spread = kafka::spread_of(*facts, config.kafka.partitions);
    if (auto less = kafka::spread_shortfall(*facts, topic, spread); !less.empty())
        return {0, std::move(less), false};
    const std::string recorded = "cannot read the recorded number of partitions from MySQL: ";
    store::ServerError error;
    const auto connection = store::Connection::open(config.mysql, &error);
    if (!connection) return {0, recorded + error.message, std::nullopt};
    const auto agreed = store::agree_on_partitions(**connection, facts->topic_id, spread, now);
    if (!agreed) return {0, recorded + (*connection)->last_error().message, std::nullopt};
    if (*agreed != spread) return {0, kafka::spread_changed(topic, *agreed, spread), true};
    return look_for_strays(*facts, topic, spread, client);
}

}  // namespace

Gauge& partitions_changed_gauge(Metrics& metrics) {
    return metrics.gauge("sluice_consumer_partitions_changed",
                         "1 while nothing is read because the topic's keys are spread over its partitions in "
                         "another way than before");
}

std::optional<int> wait_for_partitions(const Config& config, rd_kafka_t& client, const Clock& clock, Log& log,
                                       Metrics& metrics, Readiness& readiness, const WaitOrStop& wait) {
    Gauge& changed = partitions_changed_gauge(metrics);
    std::string said;
    while (true) {
        const Spread spread = look_at_spread(config, client, clock.wall());
        if (spread.changed) changed.Set(*spread.changed ? 1 : 0);
        if (spread.trouble.empty()) return spread.partitions;
        readiness.set_unready("kafka", spread.trouble);
        if (spread.trouble != said)
            log.error(spread.changed.value_or(false) ? "partitions_changed" : "waiting_for_topic",
                      {{"reason", spread.trouble}});
        said = spread.trouble;
        if (!wait(between_looks_at_spread)) return std::nullopt;
    }
}

}  // namespace sluice::consumer
