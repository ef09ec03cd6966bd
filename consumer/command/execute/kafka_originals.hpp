#pragma once

#include <memory>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "consumer/command/execute/originals.hpp"

namespace sluice::consumer {

/// Out of kafka.originals_topic: the partition that the digest's text as a key belongs to, read from ten
/// seconds before on, for four seconds at most. Bodies written before that topic
/// got more partitions are not found. Throws config::Refused for a configuration that librdkafka refuses;
/// connects at first use. `log` outlives it.
[[nodiscard]] std::unique_ptr<Originals> kafka_originals(const config::KafkaSettings& settings,
                                                         const Clock& clock, Log& log);

}  // namespace sluice::consumer
