#pragma once

#include <optional>
#include <string>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

/// Over how many partitions a topic's keys are spread, for as long as the topic lives: a row of sluice_meta
/// for each topic id, written by the consumer that reads the topic first.
namespace sluice::store {

/// nullopt: no consumer has read the topic yet. 0: the row is not ours to understand.
[[nodiscard]] Result<std::optional<int>> recorded_partitions(Connection& connection,
                                                             const std::string& topic_id);

/// Records `partitions` where nothing is recorded; what is recorded then. Outside a transaction.
[[nodiscard]] Result<int> agree_on_partitions(Connection& connection, const std::string& topic_id,
                                              int partitions, WallTime now);

}  // namespace sluice::store
