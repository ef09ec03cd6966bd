#pragma once

#include <cstdint>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::store {

/// Deletes what the chart's self-test wrote before `cutoff`, in chunks of a thousand rows with a transaction
/// each; how many.
[[nodiscard]] Result<std::int64_t> delete_selftests(Connection& connection, WallTime cutoff);

}  // namespace sluice::store
