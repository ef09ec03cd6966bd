#pragma once

#include <cstdint>

#include "common/clock.hpp"
#include "consumer/store/connection.hpp"

namespace sluice::store {

/// Deletes finished undated rows received before `cutoff`, and their payloads, in chunks of a thousand keys
/// with a transaction each; how many. Walks the bucket once by its primary key, so that no index on the time
/// is needed. Rows that must stay (consumer/store/day_partitions.hpp) stay.
[[nodiscard]] Result<std::int64_t> delete_undated(Connection& connection, WallTime cutoff);

}  // namespace sluice::store
