#include <algorithm>

#include "consumer/lane/rules/command.hpp"
#include "consumer/lane/rules/next_turn.hpp"
#include "tests/model/stepper.hpp"

// The retry role: records that wake lanes, and operators' commands.
namespace sluice::model {
namespace {

lane::Pass pass_of(const Session& self) {
    return {.gen = self.gen, .had_turn = self.had_turn, .had_success = self.had_success};
}

void keep(Session& self, const lane::Pass& pass) {
    self.had_turn = static_cast<std::uint8_t>(pass.had_turn);
    self.had_success = pass.had_success;
}

void forget_pass(Session& self) {
    self.had_turn = 0;
    self.had_success = false;
}

bool has_dead(const lane::Lane& lane) {
    return !lane.front.empty() && lane.front.back().status == lane::Status::dead;
}

}  // namespace

void Stepper::retry_role(int who) {
    const Session& self = session(who);
    switch (self.at) {
        case At::idle:
            return take_wakeup(who);
        case At::handling:
            return turn(who);
        case At::failed:
            return second_of_pass(who);
        case At::sending_again: {
            State& state = next(who, "wakeup goes round once more", self.event);
            state.wakeups.push_back({self.object, self.gen});
            in(state, who).at = At::acknowledging;
            return;
        }
        default:
            return debts(who);
    }
}

/// A wakeup of the current generation is taken when it is due: time passes until then.
void Stepper::take_wakeup(int who) {
    const Session& self = session(who);
    if (self.position >= from_->wakeups.size()) return;
    const Wakeup wakeup = from_->wakeups[self.position];
    const bool current = wakeup.gen == from_->lanes[wakeup.object].gen;
    State& state = next(who, current ? "takes the wakeup" : "takes an old wakeup");
    Session& then = in(state, who);
    then.at = At::handling;
    then.object = wakeup.object;
    then.gen = wakeup.gen;
    LaneRow& lane = state.lanes[wakeup.object];
    if (!current || !lane.has_due) return;
    for (std::size_t event = 0; event < state.events.size(); ++event) {
        std::uint8_t& due = state.events[event].due;
        if (world_.objects[event] == wakeup.object)
            due = static_cast<std::uint8_t>(due - std::min(due, lane.due));
    }
    lane.due = 0;
}

void Stepper::turn(int who) {
    const Session& self = session(who);
    const lane::Lane lane = lane_of(*from_, self.object);
    const bool stale = self.gen != lane.wakeup.gen;
    if (self.role == Role::retry &&
        ((stale && !has(Rule::any_record_pays)) || (has_dead(lane) && !has(Rule::deferred_before_dead_go)))) {
        in(next(who, "drops the wakeup"), who).at = At::acknowledging;
        return;
    }
    if (lane::duty_of(lane, self.gen).kind != lane::Duty::Kind::run_pass) {
        State& state = next(who, "looks at the lane");
        forget_pass(in(state, who));
        return look(state, who);
    }
    lane::Turn turn = lane::next_turn(lane, pass_of(self), present);
    const bool only_deferred = lane::head_of(lane) == nullptr && !lane.front.empty();
    if (!has(Rule::deferred_keep_lane) && self.had_success && only_deferred)
        turn.kind = lane::Turn::Kind::rest;
    if (turn.kind == lane::Turn::Kind::run) return attempt_again(who, turn.row);
    if (self.role == Role::main) {
        State& state = next(who, "ends its early pass");
        write(state, self.object, lane::after_early_pass(lane, present));
        look(state, who);
        return or_answer_is_lost(who, At::first);
    }
    const bool arms = turn.kind == lane::Turn::Kind::arm;
    State& state = next(who, arms ? "ends the pass, arms the lane" : "ends the pass, nothing waits for time");
    forget_pass(in(state, who));
    if (arms && has(Rule::pass_ends_armed)) write(state, self.object, lane::armed(lane.wakeup, turn.due));
    if (!arms) write(state, self.object, lane::at_rest(lane.wakeup));
    if (arms && !has(Rule::pass_ends_armed)) {
        in(state, who).at = At::acknowledging;
    } else {
        look(state, who);
    }
    or_answer_is_lost(who, At::handling);
}

void Stepper::attempt_again(int who, const lane::Row& row) {
    const Session& self = session(who);
    const auto event = static_cast<std::uint8_t>(row.position - 1);
    State& done = next(who, "is applied", event);
    apply(done, event);
    keep(in(done, who), lane::after_success(pass_of(self)));
    or_answer_is_lost(who, At::handling);
    for (const Fate fate : fates()) {
        State& state = trouble(who, "fails, rolled back", &Budget::failures, event);
        Session& then = in(state, who);
        then.at = At::failed;
        then.event = event;
        then.tried = state.events[event];
        then.fate = fate.status;
        then.fate_due = fate.due;
    }
    if (!may(&Budget::lacking) || self.role == Role::main) return;
    Session& then = in(trouble(who, "has an effect unknown here", &Budget::lacking, event), who);
    then.at = At::sending_again;
    then.event = event;
}

void Stepper::second_of_pass(int who) {
    const Session& self = session(who);
    const lane::Lane lane = lane_of(*from_, self.object);
    State before = *from_;
    before.events[self.event] = self.tried;
    const lane::Row tried = row_of(before, self.event, world_.supersede);
    if (has(Rule::failure_is_verified) && !lane::still_stands(lane, pass_of(self), tried)) {
        const bool again = has(Rule::failure_starts_over);
        State& state = next(who, again ? "starts over" : "gives up", self.event);
        in(state, who).at = again ? At::handling : At::acknowledging;
        forget_pass(in(state, who));
        return;
    }
    constexpr const char* becomes[] = {"", "", "", "is deferred", "waits for a retry", "is dead", ""};
    State& state = next(who, becomes[static_cast<std::size_t>(self.fate)], self.event);
    // One that was early and is deferred again is left as it was: see lane::judge.
    const bool early = self.tried.status == Status::deferred && self.tried.due > 0;
    if (!(early && self.fate == Status::deferred)) write(state, self.event, {self.fate, self.fate_due});
    const bool later = std::any_of(state.events.begin() + self.event + 1, state.events.end(),
                                   [](const Event& other) { return other.status == Status::parked; });
    if (lane::dies_superseded(row_of(state, self.event, world_.supersede), later)) {
        steps_.back().what = "is dead and superseded";
        state.events[self.event] = {.status = Status::skipped};
    }
    in(state, who).at = At::handling;
    keep(in(state, who), lane::after_failure(pass_of(self), row_of(state, self.event, world_.supersede)));
    or_answer_is_lost(who, At::handling);
}

void Stepper::command_role(int who) {
    const Session& self = session(who);
    if (self.at == At::commanded) return carry_out(who);
    if (self.at != At::idle) return debts(who);
    if (self.position >= from_->commands.size()) return;
    const std::uint8_t event = from_->commands[self.position].event;
    Session& then = in(next(who, "is what a command is about", event), who);
    then.at = At::commanded;
    then.event = event;
    then.object = world_.objects[event];
}

void Stepper::carry_out(int who) {
    const Session& self = session(who);
    const Command command = from_->commands[self.position];
    const Event& event = from_->events[self.event];
    const lane::Lane lane = lane_of(*from_, self.object);
    if (command.carried_out && has(Rule::command_once)) {
        return look(next(who, "command was carried out before", self.event), who);
    }
    std::optional<lane::Row> row;
    if (event.status >= Status::deferred) row = row_of(*from_, self.event, false);
    const auto action = command.skips ? lane::Action::skip : lane::Action::retry;
    const lane::Reply reply = lane::obey(action, row, lane.wakeup, present);
    if (reply.kind == lane::Reply::Kind::refused) {
        State& state = next(who, "command is refused", self.event);
        state.commands[self.position].carried_out = true;
        return look(state, who);
    }
    State& state = next(who, command.skips ? "is skipped" : "is to be tried again", self.event);
    if (command.carried_out) state.violation = "a command was carried out twice";
    state.commands[self.position].carried_out = true;
    state.events[self.event] = {.status = command.skips ? Status::skipped : Status::retry,
                                .deaths = event.deaths};
    if (has(Rule::command_arms)) write(state, self.object, reply.wakeup);
    look(state, who);
    or_answer_is_lost(who, At::commanded);
}

}  // namespace sluice::model
