#include "consumer/main_role/in_lane.hpp"

#include "common/error.hpp"
#include "common/failpoint.hpp"
#include "consumer/apply/in_force.hpp"
#include "consumer/apply/inbox_rows.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/lane/rules/next_turn.hpp"
#include "consumer/lane/rules/run_or_park.hpp"
#include "consumer/lane/run/finish_row.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/inbox/effect_names.hpp"

namespace sluice::consumer {
namespace {

constexpr int misses_per_wait = 20;

}  // namespace

IfLocked if_lane_is_locked(const Item& item) noexcept {
    return (item.lane_misses + 1) % misses_per_wait == 0 ? IfLocked::wait : IfLocked::leave;
}

Result<LaneEnd> InLane::run(Item& item, store::Connection& connection, const OffsetWriter& writer) {
    note_payment(item, context_.rules.sources);
    const Matching matching = effects_for(item, context_.rules);
    const auto entry = inbox_entry(item, context_.rules, store::InboxStatus::parked, std::nullopt);
    auto open = store::OpenTransaction::begin(connection);
    if (!open) return Failure{open.error()};
    const auto is_new = insert_event(item, entry, context_.rules.payload, connection);
    if (!is_new) return Failure{is_new.error()};
    if (!*is_new) return LaneEnd{.kind = LaneEnd::Kind::known};
    if (if_lane_is_locked(item) == IfLocked::leave) {
        const auto is_free = store::lock_lane_now(connection, lane_of(item));
        if (!is_free) return Failure{is_free.error()};
        if (!*is_free) {
            ++item.lane_misses;
            return LaneEnd{.kind = LaneEnd::Kind::start_over};
        }
    }
    item.lane_misses = 0;
    auto lane = store::make_lane(connection, ObjectKey{item.record}, context_.clock.wall());
    if (!lane) return Failure{lane.error()};

    const bool may_run = lane::admit(lane->lane) == lane::Admission::run;
    auto end = may_run ? apply(item, matching, connection, *lane) : park(item, connection, *lane);
    if (!end || end->kind == LaneEnd::Kind::failed) return end;

    const auto [applied, offsets] = offsets_of(partitions_, item.record.at, end->owes);
    if (auto written = write_applied_offsets(connection, writer, offsets); !written)
        return Failure{written.error()};
    if (FP("consumer.before_lane_commit")) return Failure{errc::injected};
    if (auto still = still_in_force(connection, context_.rules); !still) return Failure{still.error()};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    (void)FP("consumer.after_lane_commit");
    partitions_.answered(applied, offsets);
    return end;
}

Result<LaneEnd> InLane::apply(Item& item, const Matching& matching, store::Connection& connection,
                              const store::LockedLane& lane) {
    if (auto run = one_.run(item, matching, connection); !run)
        return LaneEnd{.kind = LaneEnd::Kind::failed, .setback = std::move(run.error())};
    const bool is_ignored = matching.empty();
    const std::string had = store::effects_text(names_of(matching));
    const auto changed = store::change_unfinished(
        connection, inbox_key(item),
        {.status = is_ignored ? store::InboxStatus::ignored : store::InboxStatus::done,
         .finished_at = context_.clock.wall(),
         .had_effects = had});
    if (!changed) return Failure{changed.error()};
    const bool has_deferred = !lane.lane.front.empty();
    const bool is_quiet = lane::duty_of(lane.lane, std::nullopt).kind == lane::Duty::Kind::none;
    return LaneEnd{.kind = LaneEnd::Kind::applied,
                   .is_ignored = is_ignored,
                   .owes = has_deferred || !is_quiet,
                   .has_deferred = has_deferred};
}

Result<LaneEnd> InLane::park(Item& item, store::Connection& connection, store::LockedLane& lane) {
    const WallTime now = context_.clock.wall();
    const auto names = effects_to_keep(item, context_.rules);
    const lane::Parking parking = lane::park(lane.lane, names, lane.facts.back().effects, now);
    const RecordToKeep record{item, context_.rules.kafka.topic};
    store::LaneRow row{.row = {}, .effects = names};
    row.row.position = lane.next_position();
    if (auto done = store::append_event(connection, lane, row, record.row()); !done)
        return Failure{done.error()};
    if (parking.overtaken) {
        if (auto done = supersede(connection, lane); !done) return Failure{done.error()};
    }
    if (auto done = store::write_lane(connection, lane, parking.wakeup, now); !done)
        return Failure{done.error()};
    const bool is_quiet = parking.wakeup == lane.lane.wakeup &&
                          lane::duty_of(lane.lane, std::nullopt).kind == lane::Duty::Kind::none;
    return LaneEnd{.kind = LaneEnd::Kind::parked, .owes = !is_quiet};
}

Result<void> InLane::supersede(store::Connection& connection, store::LockedLane& lane) {
    const lane::Position position = lane.lane.front.back().position;
    const auto record = store::read_record(connection, lane.key, position);
    if (!record) return Failure{record.error()};
    const RowEnd end =
        end_without_effects(*record ? (*record)->had : std::nullopt, store::ClosedAs::superseded);
    return finish_row(connection, lane, position, lane.facts.back().inbox, end, context_.clock.wall());
}

}  // namespace sluice::consumer
