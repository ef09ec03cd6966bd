#pragma once

#include <vector>

#include "common/config/settings/connections.hpp"
#include "ctl/erase/erase_plan.hpp"

namespace sluice::ctl {

/// The topics that hold events and what operators said about them, with their retention as Kafka reports it.
/// Missing topics are left out; where Kafka does not answer, all are named without a retention.
[[nodiscard]] std::vector<ErasedTopic> kept_topics(const config::KafkaSettings& settings);

}  // namespace sluice::ctl
