#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "consumer/publish/publisher.hpp"

namespace sluice::consumer {

/// One producer for all that the consumer writes. `known_topics` are asked about from the start, so that the
/// first record for one of them need not wait up to a second for its metadata. `log` outlives it. Throws
/// config::Refused where the Kafka settings cannot be used.
[[nodiscard]] std::unique_ptr<Publisher> owed_record_publisher(const config::KafkaSettings& settings,
                                                               const std::vector<std::string>& known_topics,
                                                               Log& log);

}  // namespace sluice::consumer
