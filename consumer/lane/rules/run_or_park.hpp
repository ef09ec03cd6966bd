#pragma once

#include <span>
#include <string>

#include "consumer/lane/rules/lane.hpp"

/// The main role's rules: a record of the webhook topic whose event the inbox does not know.
///
/// An event of an object without unfinished events runs after one unlocked read of the lane: the object can
/// only get into trouble through an earlier event, whose inbox row this worker has passed already. Any other
/// is decided here, under the lane's lock and in the transaction that writes it.
namespace sluice::lane {

enum class Admission {
    run,   ///< every earlier event is finished or deferred: in this transaction, the lock held throughout
    park,  ///< at the tail of the lane; no effect runs
};

[[nodiscard]] Admission admit(const Lane& lane) noexcept;

/// What the transaction that parks a new event writes besides the row itself.
struct Parking {
    Wakeup wakeup;                      ///< the lane's own row
    std::optional<Position> overtaken;  ///< this dead event is finished as skipped: the new one supersedes it
};

/// `effects` and `heads_effects` are the names of the effects that matched the new event and the head. Only
/// after `admit` said park.
[[nodiscard]] Parking park(const Lane& lane, std::span<const std::string> effects,
                           std::span<const std::string> heads_effects, WallTime now);

/// The second transaction of a new event that ran and failed: it becomes a deferred, retry or dead row at
/// the tail. Only where `admit`, asked again under the lock, still says run and the inbox row could be
/// inserted; otherwise the record starts over, since another owner of the partition was faster. Returns the
/// lane's own row.
[[nodiscard]] Wakeup enter(const Lane& lane, const Row& failed, WallTime now);

}  // namespace sluice::lane
