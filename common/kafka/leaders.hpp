#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "common/kafka/handle.hpp"
#include "common/result.hpp"

namespace sluice::kafka {

using Leaders = std::map<std::int32_t, std::int32_t>;  ///< partition to broker

/// Which broker leads each partition of a topic, without leaderless partitions. One request, blocking.
[[nodiscard]] Result<Leaders> read_leaders(rd_kafka_t& client, const std::string& topic,
                                           std::chrono::milliseconds timeout);

}  // namespace sluice::kafka
