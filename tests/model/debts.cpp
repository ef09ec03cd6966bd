#include <algorithm>

#include "consumer/lane/rules/next_turn.hpp"
#include "tests/model/stepper.hpp"

// What all roles do before they acknowledge a record.
namespace sluice::model {

void Stepper::debts(int who) {
    const Session& self = session(who);
    switch (self.at) {
        case At::producing_wakeup:
            return produce_wakeup(who);
        case At::marking_wakeup: {
            State& state = next(who, "marks the wakeup as sent");
            const lane::Wakeup wakeup = lane_of(state, self.object).wakeup;
            write(state, self.object, lane::with_sent(wakeup, self.owed));
            return look(state, who);
        }
        case At::producing_dlq: {
            State& state = next(who, "is in the DLQ", self.owed);
            Event& event = state.events[self.owed];
            event.in_dlq = event.in_dlq || self.death == event.deaths;
            in(state, who).at = At::marking_dlq;
            return;
        }
        case At::marking_dlq: {
            State& state = next(who, "is marked as dead-lettered", self.owed);
            Event& event = state.events[self.owed];
            if (self.death == event.deaths || !has(Rule::mark_names_death)) event.dlq_owed = false;
            return look(state, who);
        }
        default:
            return acknowledge(who);
    }
}

/// Ends a transaction that has the lane's lock: what it still owes is known in it. A pass that is due goes
/// on.
void Stepper::look(State& state, int who) const {
    Session& self = in(state, who);
    const bool paid = self.at == At::marking_wakeup || self.at == At::marking_dlq;
    const bool retry = self.role == Role::retry;
    const std::optional<lane::Generation> wakeup =
        retry ? std::optional{lane::Generation{self.gen}} : std::nullopt;
    const lane::Duty duty = lane::duty_of(lane_of(state, self.object), wakeup);
    const bool owes =
        duty.kind == lane::Duty::Kind::send_dead_letter || duty.kind == lane::Duty::Kind::send_wakeup;
    if (paid && !has(Rule::look_again)) {
        self.at = At::acknowledging;
        return;
    }
    if (owes && !has(Rule::produce_before_ack) && self.role == Role::main && self.owner) {
        state.records_acked = std::max(state.records_acked, static_cast<std::uint8_t>(self.position + 1));
    }
    switch (duty.kind) {
        case lane::Duty::Kind::send_dead_letter:
            self.at = At::producing_dlq;
            self.owed = static_cast<std::uint8_t>(duty.dead.position - 1);
            self.death = static_cast<std::uint8_t>(duty.dead.death);
            if (!has(Rule::dlq_before_mark)) state.events[self.owed].dlq_owed = false;
            break;
        case lane::Duty::Kind::send_wakeup:
            self.at = At::producing_wakeup;
            self.owed = static_cast<std::uint8_t>(duty.gen);
            break;
        case lane::Duty::Kind::run_pass:
            self.at = At::handling;
            break;
        case lane::Duty::Kind::none:
            self.at = At::acknowledging;
            break;
    }
}

void Stepper::produce_wakeup(int who) {
    const Session& self = session(who);
    State& state = next(who, "produces the wakeup");
    state.wakeups.push_back({self.object, self.owed});
    in(state, who).at = At::marking_wakeup;
    if (may(&Budget::lost_wakeups)) {
        in(trouble(who, "produces a wakeup that its topic loses", &Budget::lost_wakeups), who).at =
            At::marking_wakeup;
    }
    if (may(&Budget::doubled_wakeups)) {
        State& twice = trouble(who, "produces the wakeup twice", &Budget::doubled_wakeups);
        for (int i = 0; i < 2; ++i) twice.wakeups.push_back({self.object, self.owed});
        in(twice, who).at = At::marking_wakeup;
    }
}

void Stepper::acknowledge(int who) {
    const Session& self = session(who);
    State& state = next(who, "acknowledges");
    Session then;
    then.role = self.role;
    then.owner = self.owner;
    then.position = static_cast<std::uint8_t>(self.position + 1);
    in(state, who) = then;
    if (!self.owner) return;
    std::uint8_t& acked = self.role == Role::main    ? state.records_acked
                          : self.role == Role::retry ? state.wakeups_acked
                                                     : state.commands_acked;
    acked = std::max(acked, then.position);
}

}  // namespace sluice::model
