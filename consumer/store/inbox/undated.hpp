#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/clock.hpp"
#include "consumer/store/driver/connection.hpp"
#include "consumer/store/inbox/inbox.hpp"

namespace sluice::store {

/// Deletes finished undated rows received before `cutoff`, and their payloads, in chunks of a thousand keys
/// with a transaction each; how many. Walks the bucket once by its primary key, so that no index on the time
/// is needed. Rows that must stay (consumer/store/inbox/day_partitions.hpp) stay. With `keeps_keys` the same
/// transaction writes what `undated_key` remembers of each row that goes: at no moment is an event in neither
/// table.
[[nodiscard]] Result<std::int64_t> delete_undated(Connection& connection, WallTime cutoff, bool keeps_keys);

/// Deletes remembered keys of events that were received before `day`; how many. In chunks, as above.
[[nodiscard]] Result<std::int64_t> forget_undated_keys(Connection& connection, std::chrono::sys_days day);

/// What `undated_key` remembers of these keys, which are undated: known events, finished. Look into the inbox
/// first: a key that moves in between is found in one of them. One SELECT for up to 512 keys; no locks.
[[nodiscard]] Result<std::vector<KnownEvent>> remembered(Connection& connection,
                                                         std::span<const InboxKey> keys);

/// The same for one key, which may be dated: those are never remembered, and nothing is asked.
[[nodiscard]] Result<std::optional<KnownEvent>> remembered(Connection& connection, const InboxKey& key);

/// For a caller about to insert it: whether an undated event is in the inbox, or was. In this order, since a
/// sweep may take its row away at any moment, and the INSERT would find none. Of a dated one the INSERT
/// itself tells: false, and nothing is asked.
[[nodiscard]] Result<bool> came_before(Connection& connection, const InboxKey& key);

}  // namespace sluice::store
