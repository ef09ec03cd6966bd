#pragma once

#include <cstdint>
#include <optional>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"

/// What goes of closed dead letters, of what operators did and of the self-test. In chunks of a thousand,
/// each its own transaction: safe to be killed anywhere, and safe to be run again.
namespace sluice::store {

/// Takes headers and body from the entries closed before `cutoff` and not before `since` (where an earlier
/// call has been; nullopt: from the first on); how many had any. The entry itself stays.
[[nodiscard]] Result<std::int64_t> clear_closed_dead_letters(Connection& connection,
                                                             std::optional<WallTime> since, WallTime cutoff);

/// Deletes entries closed before `cutoff`; how many. Open ones stay for ever.
[[nodiscard]] Result<std::int64_t> delete_closed_dead_letters(Connection& connection, WallTime cutoff);

/// Deletes what operators did before `cutoff`; how many. What they did to an entry or a lane that is still
/// open stays until that has ended.
[[nodiscard]] Result<std::int64_t> delete_actions(Connection& connection, WallTime cutoff);

/// Deletes records of erasures that were begun before `cutoff`; how many.
[[nodiscard]] Result<std::int64_t> delete_erasures(Connection& connection, WallTime cutoff);

/// Deletes what the chart's self-test wrote before `cutoff`; how many.
[[nodiscard]] Result<std::int64_t> delete_selftests(Connection& connection, WallTime cutoff);

}  // namespace sluice::store
