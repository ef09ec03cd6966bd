#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "common/kafka/handle.hpp"
#include "common/result.hpp"

namespace sluice::kafka {

/// What the broker says of a topic. Read with a client of any kind (producer, consumer); blocking,
/// never on an io_context thread.
struct TopicFacts {
    std::string cluster_id;
    std::string topic_id;  ///< Kafka's UUID in its base64url text form: a topic made anew has another
    int partitions = 0;
    int replication = 0;  ///< the least over the partitions
    int min_insync = 0;
    std::int64_t max_message_bytes = 0;
    std::int64_t retention_ms = 0;  ///< -1: for ever
};

/// Metadata, DescribeTopics and DescribeConfigs of one topic. A missing topic is
/// RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART.
[[nodiscard]] Result<TopicFacts> read_topic_facts(rd_kafka_t& client, const std::string& topic,
                                                  std::chrono::milliseconds timeout);

/// The sentence that says why `facts` are below configuration, or empty when they are not.
[[nodiscard]] std::string shortfall(const TopicFacts& facts, const std::string& topic, int min_replication,
                                    int min_insync);

}  // namespace sluice::kafka
