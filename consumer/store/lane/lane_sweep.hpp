#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "consumer/store/lane/lane.hpp"

/// What the sweeper finds and puts right, beside `overdue_lanes`: each statement its own transaction.
namespace sluice::store {

/// The wakeup of `gen` was produced once more: it is with the broker, and the lane is overdue again only some
/// time after `due`. False when the lane has a newer generation, or is gone.
[[nodiscard]] Result<bool> put_off_wakeup(Connection& connection, const LaneKey& key, lane::Generation gen,
                                          WallTime due);

/// Lanes that rest although events stand in them that could run: a release that does not know
/// `after_case: pass` came upon one of its cases and left the lane to an operator. At most 500, with the
/// generation that they have; no locks.
[[nodiscard]] Result<std::vector<OverdueLane>> resting_lanes(Connection& connection);

/// Gives such a lane its next generation, due at `due` and owed. False when it is not as it was read.
[[nodiscard]] Result<bool> arm_resting(Connection& connection, const OverdueLane& lane, WallTime due);

/// An open dead letter whose DLQ record is owed.
struct OwedDeadLetter {
    std::int64_t id = 0;
    bool in_lane = false;    ///< its lane owes it too; else it stands alone
    std::string object_key;  ///< addresses the lane
    WallTime opened_at{};
};

/// Those opened before `before`, the oldest first, at most 100: from behind `after`, so that one that cannot
/// be sent does not keep its successors from their turn.
[[nodiscard]] Result<std::vector<OwedDeadLetter>> owed_dead_letters(
    Connection& connection, WallTime before, const std::optional<OwedDeadLetter>& after);

/// Deletes the rows of lanes without unfinished events that were not written since `before`, at most 500,
/// each checked again under its lock; how many. A lane that has trouble again starts with a generation above
/// all that it had.
[[nodiscard]] Result<std::int64_t> purge_idle_lanes(Connection& connection, WallTime before);

}  // namespace sluice::store
