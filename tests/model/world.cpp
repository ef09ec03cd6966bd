#include "tests/model/world.hpp"

#include <algorithm>

namespace sluice::model {
namespace {

bool waits_for_an_operator(const World& world, const State& state, std::size_t event) {
    const Event& itself = state.events[event];
    if (itself.status == Status::dead && !itself.dlq_owed && itself.in_dlq) return true;
    if (world.lets_pass) return false;
    for (std::size_t earlier = 0; earlier < event; ++earlier) {
        const bool dead = state.events[earlier].status == Status::dead;
        if (dead && world.objects[earlier] == world.objects[event]) return itself.status != Status::dead;
    }
    return false;
}

}  // namespace

State initial_state(const World& world) {
    State state;
    state.events.resize(world.objects.size());
    state.lanes.resize(std::size_t{1} + std::ranges::max(world.objects));
    for (const Role role : {Role::main, Role::retry, Role::command}) {
        if (role == Role::command && world.budget.commands == 0) continue;
        Session session;
        session.role = role;
        state.sessions.push_back(session);
    }
    return state;
}

bool is_settled(const World& world, const State& state) {
    if (state.records_acked != world.records.size() || state.wakeups_acked != state.wakeups.size() ||
        state.commands_acked != state.commands.size())
        return false;
    if (!std::ranges::all_of(state.sessions, [](const Session& s) { return !s.owner || s.at == At::idle; }))
        return false;
    for (const LaneRow& lane : state.lanes) {
        if (!lane.sent) return false;
    }
    for (std::size_t event = 0; event < state.events.size(); ++event) {
        const Status status = state.events[event].status;
        if (status == Status::done || status == Status::skipped) continue;
        if (!waits_for_an_operator(world, state, event)) return false;
    }
    return true;
}

}  // namespace sluice::model
