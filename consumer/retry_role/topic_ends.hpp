#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "common/clock.hpp"
#include "common/kafka/handle.hpp"
#include "common/result.hpp"

namespace sluice::consumer {

/// By partition, where the next record will stand.
using TopicEnds = std::map<std::int32_t, std::int64_t>;

/// Of all partitions that have a leader: one metadata request, then one ListOffsets to each leader, at the
/// same time. Fails when one of them does not answer. Blocks for twice `within` at most.
[[nodiscard]] Result<TopicEnds> read_topic_ends(rd_kafka_t& client, const std::string& topic,
                                                Milliseconds within);

}  // namespace sluice::consumer
