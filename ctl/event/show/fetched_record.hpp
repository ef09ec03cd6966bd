#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"

namespace sluice::ctl {

/// One record as it lies in Kafka.
struct FetchedRecord {
    WallTime timestamp{};  ///< the record's own: when the ingress gave it to its producer
    std::vector<std::pair<std::string, std::string>> headers;  ///< record::separated
    std::string body;                                          ///< the value
};

/// Reads the record at exactly that place, without joining a group or storing an offset. The error is
/// a clause for people: no broker answers, the record is gone, …
[[nodiscard]] std::expected<FetchedRecord, std::string> fetch_record(const config::KafkaSettings& settings,
                                                                     const std::string& topic,
                                                                     std::int32_t partition,
                                                                     std::int64_t offset,
                                                                     std::chrono::milliseconds patience);

}  // namespace sluice::ctl
