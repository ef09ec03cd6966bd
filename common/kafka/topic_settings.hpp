#pragma once

#include <map>
#include <string>

#include "common/kafka/topic_facts.hpp"

namespace sluice::kafka {

/// What a broker tells of a topic's settings, by name.
using TopicSettings = std::map<std::string, std::string, std::less<>>;

/// Puts those that matter into `facts`. One that the broker does not tell, as some managed and compatible
/// brokers do, goes into `hidden` and counts as Kafka's default (Kafka 4.0, "Topic Configs"); only the size
/// of records counts as unlimited, since the broker refuses by itself what is too large. False where one is
/// told that cannot be understood. Pure.
[[nodiscard]] bool take_settings(const TopicSettings& told, TopicFacts& facts);

}  // namespace sluice::kafka
