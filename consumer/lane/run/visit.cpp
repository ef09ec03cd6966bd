#include "consumer/lane/run/visit.hpp"

#include "common/failpoint.hpp"
#include "consumer/apply/setback.hpp"

namespace sluice::consumer {
namespace {

// Other objects of the worker wait meanwhile.
constexpr Milliseconds longest_run{200};

}  // namespace

Visited LaneVisit::visit(store::Connection& connection, std::string_view object_key,
                         std::optional<lane::Generation> wakeup, std::string& trouble, IfLocked if_locked) {
    return run({.connection = connection,
                .object_key = object_key,
                .key = store::lane_key_of(object_key),
                .wakeup = wakeup,
                .if_locked = if_locked},
               trouble);
}

Visited LaneVisit::visit_early(store::Connection& connection, std::string_view object_key,
                               std::string& trouble, IfLocked if_locked) {
    return run({.connection = connection,
                .object_key = object_key,
                .key = store::lane_key_of(object_key),
                .wakeup = std::nullopt,
                .if_locked = if_locked,
                .wants_early_pass = true},
               trouble);
}

Visited LaneVisit::run(Round round, std::string& trouble) {
    const SteadyTime until = context_.clock.steady() + longest_run;
    while (true) {
        const auto next = step(round);
        if (!next) return given_up(round, next.error(), trouble);
        if (*next == Step::settled) return Visited::settled;
        if (*next == Step::turn_over) return Visited::others_turn;
        if (*next == Step::later) return Visited::again_soon;
        if (*next == Step::trouble) {
            trouble = round.trouble;
            return Visited::trouble;
        }
        round.is_late = context_.clock.steady() >= until;
    }
}

Visited LaneVisit::given_up(const Round& round, std::error_code error, std::string& trouble) {
    const Setback setback = statement_failed(round.connection, error);
    if (setback.database == store::ErrorClass::lost_lock) return Visited::again_soon;
    if (!may_be_the_events(error)) {
        trouble = setback.reason;
        return Visited::trouble;
    }
    if (!own_failures_.is_third(std::string{round.object_key}, error)) return Visited::again_soon;
    context_.decisions.lane_left(round.object_key, setback.reason);
    return Visited::settled;
}

Result<LaneVisit::Step> LaneVisit::step(Round& round) {
    auto open = store::OpenTransaction::begin(round.connection);
    if (!open) return Failure{open.error()};
    if (round.if_locked == IfLocked::leave) {
        const auto is_free = store::lock_lane_now(round.connection, round.key);
        if (!is_free) return Failure{is_free.error()};
        if (!*is_free) return Step::later;
    }
    auto locked = store::lock_lane(round.connection, round.key, round.finished_up_to);
    if (!locked) return Failure{locked.error()};
    if (!*locked) return Step::settled;
    store::LockedLane& lane = **locked;
    if (round.is_dead_letter_refused) lane.lane.dlq_owed.reset();
    if (std::exchange(round.wants_early_pass, false)) {
        round.pass = lane::early_pass(lane.lane);
        round.is_early = true;
    }
    if (round.pass && round.pass->gen != lane.lane.wakeup.gen) round.pass.reset();
    if (round.pass && round.is_early) return turn(round, std::move(*open), std::move(lane));

    const bool is_stale = round.wakeup && *round.wakeup != lane.lane.wakeup.gen;
    if (std::exchange(round.is_first_look, false) && is_stale) context_.decisions.wakeup("stale");
    const lane::Duty duty = lane::duty_of(lane.lane, round.wakeup);
    if (duty.kind == lane::Duty::Kind::none) return Step::settled;
    if (duty.kind == lane::Duty::Kind::run_pass) {
        if (!round.pass) round.pass = lane::Pass{.gen = duty.gen};
        round.is_early = false;
        return turn(round, std::move(*open), std::move(lane));
    }
    open->roll_back();  // nothing is written yet, and the broker may be slow
    return send_owed(round, lane, duty);
}

Result<LaneVisit::Step> LaneVisit::turn(Round& round, store::OpenTransaction open, store::LockedLane lane) {
    if (lane::has_newer(lane.lane)) {
        open.roll_back();
        return leave(round);
    }
    const lane::Turn turn = lane::next_turn(lane.lane, *round.pass, context_.clock.wall());
    if (turn.kind != lane::Turn::Kind::run) return end_pass(round, std::move(open), lane, turn);
    if (round.is_late && !round.is_early) return Step::turn_over;  // the pass goes on with the same wakeup
    if (round.is_late) {
        round.pass.reset();  // the wakeup goes on with it
        return Step::again;
    }
    const bool is_first = lane.lane.front.front().position == turn.row.position;
    auto end = rows_.run(round.connection, round.object_key, std::move(open), std::move(lane), *round.pass,
                         turn.row);
    if (!end) return Failure{end.error()};
    if (end->kind == RowRun::End::Kind::finished && is_first) round.finished_up_to = turn.row.position;
    return after_row(round, std::move(*end));
}

Result<LaneVisit::Step> LaneVisit::leave(Round& round) {
    context_.decisions.log().warn("newer_status", {{"key", round.object_key}});
    const lane::Generation gen = round.pass->gen;
    round.pass.reset();
    if (round.is_early) return Step::again;
    auto open = store::OpenTransaction::begin(round.connection);
    if (!open) return Failure{open.error()};
    auto locked = store::lock_lane(round.connection, round.key);
    if (!locked) return Failure{locked.error()};
    if (!*locked || (*locked)->lane.wakeup.gen != gen) return Step::again;
    // The same wakeup comes again later: the sweeper must not take it for lost meanwhile.
    const WallTime now = context_.clock.wall();
    lane::Wakeup wakeup = (*locked)->lane.wakeup;
    wakeup.due = now + lane::delay_of(OwedRecords::tier_of_others());
    if (auto written = store::write_lane(round.connection, **locked, wakeup, now); !written)
        return Failure{written.error()};
    if (auto committed = open->commit(); !committed) return Failure{committed.error()};
    return owed_records_.send_again(round.object_key, gen) == OwedRecords::Sent::yes ? Step::settled
                                                                                     : Step::later;
}

Result<LaneVisit::Step> LaneVisit::after_row(Round& round, RowRun::End end) {
    switch (end.kind) {
        case RowRun::End::Kind::finished:
            round.pass = lane::after_success(*round.pass);
            return Step::again;
        case RowRun::End::Kind::failed:
            round.pass = lane::after_failure(*round.pass, end.row);
            return Step::again;
        case RowRun::End::Kind::start_over:
            round.pass.reset();
            return Step::again;
        case RowRun::End::Kind::lacking:
            if (round.is_early) break;
            return owed_records_.send_again(round.object_key, round.pass->gen) == OwedRecords::Sent::yes
                       ? Step::settled
                       : Step::later;
        case RowRun::End::Kind::newer:
            return leave(round);
        case RowRun::End::Kind::contention:
            return Step::later;
        case RowRun::End::Kind::trouble:
            round.trouble = std::move(end.reason);
            return Step::trouble;
    }
    round.pass.reset();
    return Step::again;
}

Result<LaneVisit::Step> LaneVisit::end_pass(Round& round, store::OpenTransaction open,
                                            const store::LockedLane& lane, const lane::Turn& turn) {
    const WallTime now = context_.clock.wall();
    lane::Wakeup wakeup = round.is_early                       ? lane::after_early_pass(lane.lane, now)
                          : turn.kind == lane::Turn::Kind::arm ? lane::armed(lane.lane.wakeup, turn.due)
                                                               : lane::at_rest(lane.lane.wakeup);
    round.pass.reset();
    if (wakeup == lane.lane.wakeup) return Step::again;
    if (FP("consumer.before_pass_end")) return Step::later;
    if (auto written = store::write_lane(round.connection, lane, wakeup, now); !written)
        return Failure{written.error()};
    if (auto committed = open.commit(); !committed) return Failure{committed.error()};
    (void)FP("consumer.after_pass_end");
    return Step::again;
}

Result<LaneVisit::Step> LaneVisit::send_owed(Round& round, const store::LockedLane& lane,
                                             const lane::Duty& duty) {
    const auto sent =
        duty.kind == lane::Duty::Kind::send_dead_letter
            ? owed_records_.send_dead_letter(round.connection, duty.dead.death)
            : owed_records_.send_wakeup(round.connection, round.key, round.object_key, lane.lane.wakeup);
    if (!sent) return Failure{sent.error()};
    if (*sent == OwedRecords::Sent::not_taken) return Step::later;
    round.is_dead_letter_refused = round.is_dead_letter_refused || *sent == OwedRecords::Sent::refused;
    return Step::again;
}

}  // namespace sluice::consumer
