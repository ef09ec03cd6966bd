#include "tests/model/stepper.hpp"

// What happens to the roles, and beside them.
namespace sluice::model {
namespace {

std::uint8_t acked_of(const State& state, Role role) {
    if (role == Role::main) return state.records_acked;
    return role == Role::retry ? state.wakeups_acked : state.commands_acked;
}

Session restarted(const State& state, Role role) {
    Session fresh;
    fresh.role = role;
    fresh.position = acked_of(state, role);
    return fresh;
}

std::uint8_t Budget::* moves_of(Role role) {
    if (role == Role::main) return &Budget::main_moves;
    return role == Role::retry ? &Budget::retry_moves : &Budget::command_moves;
}

}  // namespace

void Stepper::troubles() {
    for (int who = 0; who < static_cast<int>(from_->sessions.size()); ++who) {
        const Session& self = session(who);
        const auto at = static_cast<std::size_t>(who);
        if (!self.owner) {
            // Elsewhere dying is the same as never doing anything again.
            if (self.at == At::applying) next(who, "dies, and its locks go").sessions.erase(at, 1);
            continue;
        }
        if (self.at != At::idle && may(&Budget::crashes)) {
            State& state = trouble(who, "crashes, and starts at its committed offset", &Budget::crashes);
            in(state, who) = restarted(state, self.role);
        }
        if (may(moves_of(self.role))) {
            State& state = trouble(who, "loses its partition and does not notice", moves_of(self.role));
            in(state, who).owner = false;
            state.sessions.push_back(restarted(state, self.role));
        }
    }
    if (world_.sweeper && has(Rule::sweeper)) sweep();
    operators();
}

/// The sweeper finds lanes long past due, and DLQ records that nobody paid.
void Stepper::sweep() {
    for (std::uint8_t object = 0; object < from_->lanes.size(); ++object) {
        const LaneRow& lane = from_->lanes[object];
        bool underway = false;
        for (std::size_t i = from_->wakeups_acked; i < from_->wakeups.size(); ++i) {
            underway |= from_->wakeups[i].object == object && from_->wakeups[i].gen == lane.gen;
        }
        if (!lane.has_due || underway) continue;
        State& state = next(-1, "the sweeper wakes a lane");
        state.wakeups.push_back({object, lane.gen});
        state.lanes[object].sent = true;
    }
    for (std::uint8_t event = 0; event < from_->events.size(); ++event) {
        if (!from_->events[event].dlq_owed) continue;
        State& state = next(-1, "gets its DLQ record from the sweeper", event);
        state.events[event].in_dlq = true;
        state.events[event].dlq_owed = false;
    }
}

void Stepper::operators() {
    if (!may(&Budget::commands)) return;
    for (std::uint8_t event = 0; event < from_->events.size(); ++event) {
        const Status status = from_->events[event].status;
        const bool waits = status == Status::retry || status == Status::deferred;
        if (status != Status::dead && !(world_.impatient && waits)) continue;
        for (const bool skips : {false, true}) {
            const char* what =
                skips ? "is to be skipped, says an operator" : "is to be retried, says an operator";
            trouble(-1, what, &Budget::commands, event)
                .commands.push_back({.event = event, .skips = skips, .carried_out = false});
        }
    }
}

}  // namespace sluice::model
