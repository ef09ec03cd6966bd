#pragma once

#include <optional>
#include <string>

#include "common/config/settings/connections.hpp"
#include "common/kafka/topic_facts.hpp"
#include "common/webhook/recipe/source.hpp"
#include "ctl/doctor/finding.hpp"

namespace sluice::ctl {

/// `recorded`: over how many partitions the topic's keys are spread since its first event; nullopt: no
/// consumer has read it yet. Pure.
[[nodiscard]] Finding judge_spread(const kafka::TopicFacts& facts, const config::KafkaSettings& settings,
                                   std::optional<int> recorded);

/// Compares what Kafka has with what MySQL has recorded; nothing where one of them does not answer, which
/// other checks report.
[[nodiscard]] Findings check_partitions(const config::KafkaSettings& kafka,
                                        const config::MysqlSettings& mysql);

/// Compares what the file makes keys of with what MySQL has recorded; nothing where MySQL or its table does
/// not answer, which other checks report.
[[nodiscard]] Findings check_keys(const config::MysqlSettings& mysql, const webhook::SourceSet& sources);

}  // namespace sluice::ctl
