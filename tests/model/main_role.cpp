#include "consumer/lane/rules/next_turn.hpp"
#include "consumer/lane/rules/run_or_park.hpp"
#include "tests/model/stepper.hpp"

// The main role: records of the webhook topic, one after the other.
namespace sluice::model {

void Stepper::main_role(int who) {
    const Session& self = session(who);
    switch (self.at) {
        case At::idle: {
            if (self.position >= world_.records.size()) return;
            const std::uint8_t event = world_.records[self.position];
            Session& then = in(next(who, "is taken up", event), who);
            then.at = At::first;
            then.event = event;
            then.object = world_.objects[event];
            return;
        }
        case At::first:
            return first_transaction(who);
        case At::applying:
            return attempt_fresh(who);
        case At::parking_late: {
            State& state = next(who, "is parked, in a transaction of its own", self.event);
            const bool known = state.events[self.event].status != Status::absent;
            if (!known) write(state, self.event, {Status::parked, 0});
            in(state, who).at = known ? At::first : At::acknowledging;
            return;
        }
        case At::producing_early: {
            State& state = next(who, "wakeup is in the log before its lane is committed", self.event);
            state.wakeups.push_back({self.object, self.owed});
            in(state, who).at = At::entering;
            return;
        }
        case At::entering:
            return second_transaction(who);
        case At::handling:
            return turn(who);
        case At::failed:
            return second_of_pass(who);
        default:
            return debts(who);
    }
}

void Stepper::first_transaction(int who) {
    const Session& self = session(who);
    if (has(Rule::one_inbox_row)) {
        if (one_who_inserts(self.event, who) != nullptr) return;  // its INSERT waits
        if (from_->events[self.event].status != Status::absent) return known_already(who);
    }
    const lane::Lane lane = lane_of(*from_, self.object);
    if (!is_busy(*from_, self.object) || !has(Rule::followers_wait)) {
        in(next(who, "has its inbox row, and the lane is open", self.event), who).at = At::applying;
        return;
    }
    if (lane::admit(lane) == lane::Admission::park) return park(who, lane);
    if (has(Rule::run_under_lock)) return attempt_fresh(who);
    in(next(who, "may pass, as seen without a lock", self.event), who).at = At::applying;
}

void Stepper::known_already(int who) {
    const Session& self = session(who);
    const bool is_head = from_->events[self.event].status == Status::retry;
    const bool pays = has(Rule::redelivery_pays) && (has(Rule::any_duplicate_pays) || is_head);
    State& state = next(who, "is known already", self.event);
    in(state, who).at = At::acknowledging;
    if (pays) look(state, who);
}

void Stepper::park(int who, const lane::Lane& lane) {
    const Session& self = session(who);
    if (!has(Rule::park_in_one_transaction)) {
        in(next(who, "sees a busy lane", self.event), who).at = At::parking_late;
        return;
    }
    State& state = next(who, "is parked", self.event);
    const lane::Parking parking = lane::park(lane, {}, {}, present);
    check_written_in_order(state, self.event);
    write(state, self.event, {Status::parked, 0});
    in(state, who).at = At::acknowledging;
    if (parking.overtaken) {
        steps_.back().what = "is parked and supersedes the dead one";
        state.events[static_cast<std::size_t>(*parking.overtaken - 1)] = {.status = Status::skipped};
        if (has(Rule::superseding_arms)) write(state, self.object, parking.wakeup);
        look(state, who);
    }
    or_answer_is_lost(who, At::first);
}

void Stepper::attempt_fresh(int who) {
    const Session& self = session(who);
    State& done = next(who, "is applied", self.event);
    apply(done, self.event);
    const lane::Lane passed = lane_of(done, self.object);
    Session& applied = in(done, who);
    applied.at = passed.front.empty() || self.at == At::applying ? At::acknowledging : At::handling;
    applied.gen = static_cast<std::uint8_t>(passed.wakeup.gen);
    applied.had_success = lane::early_pass(passed).had_success;
    or_answer_is_lost(who, At::first);
    for (const Fate fate : fates()) {
        State& state = trouble(who, "fails, rolled back", &Budget::failures, self.event);
        Session& then = in(state, who);
        then.fate = fate.status;
        then.fate_due = fate.due;
        const bool early = !has(Rule::commit_before_produce) && fate.status != Status::dead;
        then.at = early ? At::producing_early : At::entering;
        then.owed = static_cast<std::uint8_t>(state.lanes[self.object].gen + 1);
    }
}

void Stepper::second_transaction(int who) {
    const Session& self = session(who);
    if (one_who_inserts(self.event, who) != nullptr) return;
    const lane::Lane lane = lane_of(*from_, self.object);
    const bool known = from_->events[self.event].status != Status::absent && has(Rule::one_inbox_row);
    if (known && !has(Rule::failure_starts_over)) {
        in(next(who, "is known already: given up", self.event), who).at = At::acknowledging;
        return;
    }
    if (known || (lane::admit(lane) == lane::Admission::park && has(Rule::followers_wait))) {
        in(next(who, "starts over", self.event), who).at = At::first;
        return;
    }
    constexpr const char* becomes[] = {"", "", "", "is deferred", "waits for a retry", "is dead", ""};
    State& state = next(who, becomes[static_cast<std::size_t>(self.fate)], self.event);
    check_written_in_order(state, self.event);
    write(state, self.event, {self.fate, self.fate_due});
    lane::Wakeup wakeup = lane::enter(lane, row_of(state, self.event, world_.supersede), present);
    if (!has(Rule::commit_before_produce)) wakeup.sent = true;
    write(state, self.object, wakeup);
    look(state, who);
    or_answer_is_lost(who, At::first);
}

}  // namespace sluice::model
