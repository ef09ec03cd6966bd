#pragma once

#include <array>
#include <string>

#include "common/config/settings/connections.hpp"
#include "consumer/lane/rules/retry_delays.hpp"

namespace sluice::consumer {

/// The names of the topics of lane::tiers, in their order.
using RetryTopics = std::array<std::string, lane::tiers.size()>;

[[nodiscard]] inline RetryTopics retry_topics_of(const config::KafkaSettings& kafka) {
    RetryTopics topics;
    for (std::size_t i = 0; i < topics.size(); ++i) topics[i] = kafka.retry_topic(lane::tiers[i].name);
    return topics;
}

}  // namespace sluice::consumer
