#include <algorithm>

#include "consumer/lane/rules/wake.hpp"
#include "tests/model/stepper.hpp"

// What all roles do before they acknowledge a record.
namespace sluice::model {

void Stepper::debts(int who) {
    const Session& self = session(who);
    switch (self.at) {
        case At::producing_kick:
            return produce_kick(who);
        case At::marking_kick: {
            State& state = next(who, "marks the wake-up as sent");
            const lane::Wake wake = lane_of(state, self.object).wake;
            write(state, self.object, lane::with_sent(wake, self.owed));
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
    const bool paid = self.at == At::marking_kick || self.at == At::marking_dlq;
    const bool retry = self.role == Role::retry;
    const std::optional<lane::Generation> kick =
        retry ? std::optional{lane::Generation{self.gen}} : std::nullopt;
    const lane::Duty duty = lane::duty_of(lane_of(state, self.object), kick);
    const bool owes = duty.kind == lane::Duty::Kind::pay_dlq || duty.kind == lane::Duty::Kind::pay_kick;
    if (paid && !has(Rule::look_again)) {
        self.at = At::acknowledging;
        return;
    }
    if (owes && !has(Rule::produce_before_ack) && self.role == Role::main && self.owner) {
        state.records_acked = std::max(state.records_acked, static_cast<std::uint8_t>(self.position + 1));
    }
    switch (duty.kind) {
        case lane::Duty::Kind::pay_dlq:
            self.at = At::producing_dlq;
            self.owed = static_cast<std::uint8_t>(duty.dead.position - 1);
            self.death = static_cast<std::uint8_t>(duty.dead.death);
            if (!has(Rule::dlq_before_mark)) state.events[self.owed].dlq_owed = false;
            break;
        case lane::Duty::Kind::pay_kick:
            self.at = At::producing_kick;
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

void Stepper::produce_kick(int who) {
    const Session& self = session(who);
    State& state = next(who, "produces the wake-up");
    state.kicks.push_back({self.object, self.owed});
    in(state, who).at = At::marking_kick;
    if (may(&Budget::lost_kicks)) {
        in(trouble(who, "produces a wake-up that its topic loses", &Budget::lost_kicks), who).at =
            At::marking_kick;
    }
    if (may(&Budget::doubled_kicks)) {
        State& twice = trouble(who, "produces the wake-up twice", &Budget::doubled_kicks);
        for (int i = 0; i < 2; ++i) twice.kicks.push_back({self.object, self.owed});
        in(twice, who).at = At::marking_kick;
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
                          : self.role == Role::retry ? state.kicks_acked
                                                     : state.commands_acked;
    acked = std::max(acked, then.position);
}

}  // namespace sluice::model
