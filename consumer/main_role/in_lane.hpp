#pragma once

#include "consumer/apply/applied_offsets.hpp"
#include "consumer/apply/effects_run.hpp"
#include "consumer/lane/run/lane_end.hpp"
#include "consumer/lane/run/visit.hpp"

namespace sluice::consumer {

/// The retry role may have the event's lane for as long as one of its effects waits for a lock: the worker's
/// other objects do not wait for that. But a lane that is being worked off is free only for moments, so an
/// event that has missed it for some three seconds queues for it once.
[[nodiscard]] IfLocked if_lane_is_locked(const Item& item) noexcept;

/// The main role's transaction with an event of an object whose lane is not open: inbox row, the lane's lock,
/// then the event's effects if it may run and a parked row if it may not. One worker's.
class InLane {
public:
    InLane(const LaneContext& context, Partitions& partitions)
        : context_{context}, partitions_{partitions}, one_{context.rules} {}

    /// `item` is decoded. applied, parked, known, failed, or start_over where another transaction has the
    /// lane; after the first two its offset is finished and written as applied unless the lane owes
    /// something. A Failure is one of our own statements'.
    [[nodiscard]] Result<LaneEnd> run(Item& item, store::Connection& connection, const OffsetWriter& writer);

private:
    using Matching = std::vector<const effects::Effect*>;

    [[nodiscard]] Result<LaneEnd> apply(Item& item, const Matching& matching, store::Connection& connection,
                                        const store::LockedLane& lane);
    [[nodiscard]] Result<LaneEnd> park(Item& item, store::Connection& connection, store::LockedLane& lane);
    [[nodiscard]] Result<void> supersede(store::Connection& connection, store::LockedLane& lane);

    LaneContext context_;
    Partitions& partitions_;
    EffectsRun one_;
};

}  // namespace sluice::consumer
