#include "consumer/command/execute/newcomer.hpp"

#include "consumer/lane/rules/run_or_park.hpp"
#include "consumer/lane/run/lane_end.hpp"

namespace sluice::consumer {

Result<void> let_in_lane(const Newcomer& newcomer, store::Connection& connection, WallTime now) {
    auto lane = store::make_lane(connection, newcomer.object_key, now);
    if (!lane) return Failure{lane.error()};
    lane::Row row;
    row.position = lane->next_position();
    row.status = lane::Status::retry;
    row.due_at = now;
    lane::Wakeup wakeup = lane::armed(lane->lane.wakeup, now);
    if (lane::admit(lane->lane) == lane::Admission::park) {
        row.status = lane::Status::parked;
        wakeup = lane->lane.wakeup;
    }
    const RecordToKeep kept{newcomer.item, newcomer.topic};
    store::LaneRecord record = kept.row();
    record.inbox = newcomer.inbox;
    record.body = newcomer.body;
    record.edited = newcomer.edited;
    record.had_effects = newcomer.had_effects;
    auto done = store::append_event(connection, *lane, {.row = row, .effects = newcomer.effects}, record);
    if (done) done = store::write_lane(connection, *lane, wakeup, now);
    return done;
}

}  // namespace sluice::consumer
