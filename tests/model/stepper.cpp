#include "tests/model/stepper.hpp"

#include <algorithm>
#include <chrono>

namespace sluice::model {
namespace {

bool is_unfinished(Status status) {
    return status != Status::absent && status != Status::done && status != Status::skipped;
}

lane::Status row_status(Status status) {
    switch (status) {
        case Status::deferred:
            return lane::Status::deferred;
        case Status::retry:
            return lane::Status::retry;
        case Status::dead:
            return lane::Status::dead;
        default:
            return lane::Status::parked;
    }
}

std::uint8_t steps_from_now(WallTime time) {
    return static_cast<std::uint8_t>((time - present) / std::chrono::hours{1});
}

}  // namespace

lane::Row row_of(const State& state, std::uint8_t event, bool may_be_superseded) {
    const Event& itself = state.events[event];
    return {.position = event + 1,
            .status = row_status(itself.status),
            .attempts = itself.attempts,
            .due_at = after(itself.due),
            .first_failed_at = {},
            .may_be_superseded = may_be_superseded};
}

const std::vector<Step>& Stepper::steps_of(const State& from) {
    from_ = &from;
    steps_.clear();
    for (int who = 0; who < static_cast<int>(from.sessions.size()); ++who) {
        switch (session(who).role) {
            case Role::main:
                main_role(who);
                break;
            case Role::retry:
                retry_role(who);
                break;
            case Role::command:
                command_role(who);
                break;
        }
    }
    for (Step& step : steps_) step.heals = step.heals && session(step.session).owner;
    troubles();
    return steps_;
}

bool Stepper::may(std::uint8_t Budget::* part) const {
    return from_->spent.*part < world_.budget.*part;
}

std::vector<Stepper::Fate> Stepper::fates() const {
    if (!may(&Budget::failures)) return {};
    std::vector<Fate> all{{Status::deferred, 1}, {Status::retry, 1}, {Status::dead, 0}};
    if (world_.two_delays) all.insert(all.end(), {{Status::deferred, 2}, {Status::retry, 2}});
    return all;
}

const Session& Stepper::session(int who) const {
    return from_->sessions[static_cast<std::size_t>(who)];
}

Session& Stepper::in(State& state, int who) {
    return state.sessions[static_cast<std::size_t>(who)];
}

const Session* Stepper::one_who_inserts(std::uint8_t event, int besides) const {
    for (int who = 0; who < static_cast<int>(from_->sessions.size()); ++who) {
        const Session& other = session(who);
        if (who != besides && other.at == At::applying && other.event == event) return &other;
    }
    return nullptr;
}

State& Stepper::next(int who, const char* what, int subject) {
    steps_.push_back({.next = *from_, .what = what, .session = who, .subject = subject});
    return steps_.back().next;
}

State& Stepper::trouble(int who, const char* what, std::uint8_t Budget::* part, int subject) {
    State& state = next(who, what, subject);
    ++(state.spent.*part);
    steps_.back().heals = false;
    return state;
}

void Stepper::or_answer_is_lost(int who, At at) {
    const Step committed = steps_.back();
    if (committed.next.spent.lost_answers >= world_.budget.lost_answers) return;
    steps_.push_back(committed);
    steps_.back().what = "committed, but the answer is lost";
    steps_.back().heals = false;
    State& state = steps_.back().next;
    ++state.spent.lost_answers;
    Session& self = in(state, who);
    self.at = self.role == Role::main ? At::first : at;
    if (self.role == Role::main) self.event = world_.records[self.position];
    self.had_turn = 0;
    self.had_success = false;
}

void Stepper::apply(State& state, std::uint8_t event) const {
    Event& itself = state.events[event];
    if (itself.applied) state.violation = "applied twice";
    if (itself.status == Status::dead) state.violation = "applied although it is dead";
    if (itself.status == Status::skipped) state.violation = "applied although it was skipped";
    for (std::uint8_t earlier = 0; earlier < event; ++earlier) {
        if (world_.objects[earlier] != world_.objects[event]) continue;
        const Status status = state.events[earlier].status;
        const bool is_passed = status == Status::deferred || (status == Status::dead && world_.lets_pass);
        if (status != Status::done && status != Status::skipped && !is_passed) {
            state.violation = "applied out of order";
        }
    }
    itself = {.status = Status::done, .applied = true};
}

void Stepper::check_written_in_order(State& state, std::uint8_t event) const {
    for (std::size_t later = event + std::size_t{1}; later < state.events.size(); ++later) {
        const bool same = world_.objects[later] == world_.objects[event];
        if (same && state.events[later].status != Status::absent) state.violation = "written out of order";
    }
}

bool Stepper::is_busy(const State& state, std::uint8_t object) const {
    for (std::size_t event = 0; event < state.events.size(); ++event) {
        if (world_.objects[event] == object && is_unfinished(state.events[event].status)) return true;
    }
    return false;
}

lane::Lane Stepper::lane_of(const State& state, std::uint8_t object) const {
    const LaneRow& row = state.lanes[object];
    lane::Lane lane;
    lane.wakeup = {.gen = row.gen, .due = {}, .sent = row.sent};
    if (row.has_due) lane.wakeup.due = after(row.due);
    bool seen_all = false;
    bool behind_dead = false;
    for (std::uint8_t event = 0; event < state.events.size(); ++event) {
        const Event& itself = state.events[event];
        if (world_.objects[event] != object || !is_unfinished(itself.status)) continue;
        if (itself.dlq_owed && !lane.dlq_owed) lane.dlq_owed = {event + 1, itself.deaths};
        if (itself.status == Status::dead && (world_.lets_pass || !has(Rule::dead_holds))) continue;
        const bool out_of_turn = behind_dead && itself.status == Status::retry && !has(Rule::retry_in_turn);
        if (seen_all && !out_of_turn) continue;
        lane.front.push_back(row_of(state, event, world_.supersede));
        seen_all = itself.status != Status::deferred;
        behind_dead = itself.status == Status::dead;
    }
    return lane;
}

void Stepper::write(State& state, std::uint8_t object, const lane::Wakeup& wakeup) {
    LaneRow& row = state.lanes[object];
    row.gen = static_cast<std::uint8_t>(wakeup.gen);
    row.has_due = wakeup.due.has_value();
    row.due = wakeup.due ? steps_from_now(*wakeup.due) : std::uint8_t{0};
    row.sent = wakeup.sent;
}

void Stepper::write(State& state, std::uint8_t event, Fate fate) {
    Event& itself = state.events[event];
    itself.status = fate.status;
    itself.due = fate.due;
    itself.dlq_owed = fate.status == Status::dead;
    if (fate.status == Status::dead) ++itself.deaths;
    itself.in_dlq = false;
    if (fate.status == Status::retry || fate.status == Status::deferred) ++itself.attempts;
}

std::string text_of(const Step& step, const State& before) {
    std::string text;
    if (step.session >= 0) {
        const Session& who = before.sessions[static_cast<std::size_t>(step.session)];
        constexpr const char* roles[] = {"main", "retry", "command"};
        text = std::string{roles[static_cast<std::size_t>(who.role)]} + (who.owner ? ": " : " (zombie): ");
    }
    if (step.subject >= 0) text += "E" + std::to_string(step.subject + 1) + " ";
    return text + step.what;
}

}  // namespace sluice::model
