#include "consumer/partition_spread.hpp"

#include "consumer/store/connection.hpp"
#include "consumer/store/partition_count.hpp"

namespace sluice::consumer {
namespace {

constexpr Milliseconds between_looks_at_spread{1000};
constexpr Milliseconds spread_within{5000};

// Of a topic with more partitions than are used: somebody spreads keys over all of them.
std::string strayed(const kafka::TopicFacts& facts, const std::string& topic, int spread,
                    rd_kafka_t& client) {
    for (int partition = spread; partition < facts.partitions; ++partition) {
        std::int64_t start = 0;
        std::int64_t end = 0;
        const auto code = rd_kafka_query_watermark_offsets(&client, topic.c_str(), partition, &start, &end,
                                                           static_cast<int>(spread_within.count()));
        if (code != RD_KAFKA_RESP_ERR_NO_ERROR)
            return "the end of partition " + std::to_string(partition) +
                   " cannot be read: " + rd_kafka_err2str(code);
        if (end > start)
            return "partition " + std::to_string(partition) +
                   " holds events: " + kafka::spread_changed(topic, spread, facts.partitions);
    }
    return {};
}

struct Spread {
    int partitions = 0;
    std::string trouble;  // empty: all is well
    bool changed = false;
};

Spread look_at_spread(const Config& config, rd_kafka_t& client, WallTime now) {
    const std::string& topic = config.kafka.topic;
    const auto facts = kafka::read_topic_facts(client, topic, spread_within);
    if (!facts) return {0, "topic " + topic + ": " + facts.error().message()};
    const int spread = kafka::spread_of(*facts, config.kafka.partitions);
    if (auto less = kafka::spread_shortfall(*facts, topic, spread); !less.empty())
        return {0, std::move(less)};
    store::ServerError error;
    const auto connection = store::Connection::open(config.mysql, &error);
    if (!connection) return {0, "the number of partitions is recorded in MySQL: " + error.message};
    const auto agreed = store::agree_on_partitions(**connection, facts->topic_id, spread, now);
    if (!agreed)
        return {0, "the number of partitions is recorded in MySQL: " + (*connection)->last_error().message};
    if (*agreed != spread) return {0, kafka::spread_changed(topic, *agreed, spread), true};
    auto where = strayed(*facts, topic, spread, client);
    const bool changed = !where.empty();
    return {spread, std::move(where), changed};
}

}  // namespace

Gauge& partitions_changed_gauge(Metrics& metrics) {
    return metrics.gauge("sluice_consumer_partitions_changed",
                         "1 while nothing is read because the topic's keys are spread otherwise than before");
}

std::optional<int> wait_for_partitions(const Config& config, rd_kafka_t& client, const Clock& clock, Log& log,
                                       Metrics& metrics, Readiness& readiness, const WaitOrStop& wait) {
    Gauge& changed = partitions_changed_gauge(metrics);
    std::string said;
    while (true) {
        const Spread spread = look_at_spread(config, client, clock.wall());
        changed.Set(spread.changed ? 1 : 0);
        if (spread.trouble.empty()) return spread.partitions;
        readiness.set_unready("kafka", spread.trouble);
        if (spread.trouble != said)
            log.error(spread.changed ? "partitions_changed" : "waiting_for_topic",
                      {{"reason", spread.trouble}});
        said = spread.trouble;
        if (!wait(between_looks_at_spread)) return std::nullopt;
    }
}

}  // namespace sluice::consumer
