#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/kafka/handle.hpp"
#include "common/result.hpp"

namespace sluice::kafka {

/// What the broker says of a topic. Read with a client of any kind (producer, consumer); blocking,
/// never on an io_context thread.
struct TopicFacts {
    std::string cluster_id;
    std::string topic_id;  ///< Kafka's UUID in its base64url text form: a recreated topic has another
    int partitions = 0;
    int replication = 0;  ///< the least over the partitions
    int min_insync = 0;
    std::int64_t max_message_bytes = 0;
    std::int64_t retention_ms = 0;  ///< -1: forever
    std::string cleanup_policy = "delete";
    std::int64_t retention_bytes = -1;  ///< of a partition; -1: no limit
    bool unclean_election = false;      ///< unclean.leader.election.enable
    std::vector<std::string> hidden{};  ///< settings that the broker does not tell (topic_settings.hpp)

    [[nodiscard]] bool hides(std::string_view setting) const;
};

/// Metadata, DescribeTopics and DescribeConfigs of one topic. A missing topic is
/// RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART.
[[nodiscard]] Result<TopicFacts> read_topic_facts(rd_kafka_t& client, const std::string& topic,
                                                  std::chrono::milliseconds timeout);

/// The sentence that says which setting of the topic loses unread records, or empty. Only retention.ms may
/// end a record: it leaves time to call a person.
[[nodiscard]] std::string losing_setting(const TopicFacts& facts, const std::string& topic);

/// The sentence that says why `facts` are below configuration or lose events, or empty when they are fine.
[[nodiscard]] std::string shortfall(const TopicFacts& facts, const std::string& topic, int min_replication,
                                    int min_insync);

/// A sentence that names the settings of the topic which cannot be checked; empty when there are none.
[[nodiscard]] std::string hidden_settings(const TopicFacts& facts, const std::string& topic);

/// Over how many partitions the keys of a topic are spread, which decides where an object's events go:
/// `pinned` (kafka.partitions), else all. A topic may have more than are used; those stay empty.
[[nodiscard]] int spread_of(const TopicFacts& facts, int pinned) noexcept;
/// The sentence that says that the topic has fewer partitions than are pinned, or empty.
[[nodiscard]] std::string spread_shortfall(const TopicFacts& facts, const std::string& topic, int pinned);
/// The sentence for a topic whose keys were spread over `before` partitions and would be over `now`.
[[nodiscard]] std::string spread_changed(const std::string& topic, int before, int now);

}  // namespace sluice::kafka
