#include <algorithm>
#include <utility>

#include "tests/model/world.hpp"

// Which states are the same: what no rule can tell apart is made equal.
namespace sluice::model {
namespace {

std::uint8_t low(std::size_t number) {
    return static_cast<std::uint8_t>(number);
}

/// 0: stale, 1: the lane's own, 2: the one after it.
std::uint8_t relative(std::uint8_t gen, const LaneRow& lane) {
    return gen < lane.gen ? std::uint8_t{0} : low(1U + gen - lane.gen);
}

bool holds_generation(const Session& session) {
    return session.at == At::producing_wakeup || session.at == At::marking_wakeup;
}

void forget_old_generations(State& state) {
    for (Wakeup& wakeup : state.wakeups) wakeup.gen = relative(wakeup.gen, state.lanes[wakeup.object]);
    for (Session& session : state.sessions) {
        const LaneRow& lane = state.lanes[session.object];
        session.gen = relative(session.gen, lane);
        if (holds_generation(session)) session.owed = relative(session.owed, lane);
    }
    for (LaneRow& lane : state.lanes) lane.gen = 1;
}

/// What a session remembers of an earlier step and no later one reads.
void forget_what_is_over(Session& session) {
    const At at = session.at;
    const bool in_second = at == At::entering || at == At::producing_early || at == At::failed;
    const bool in_debt = at == At::producing_wakeup || at == At::marking_wakeup || at == At::producing_dlq ||
                         at == At::marking_dlq || at == At::producing_early;
    if (!in_second) {
        session.fate = Status::absent;
        session.fate_due = 0;
    }
    if (!in_debt) session.owed = 0;
    if (at != At::failed) session.tried = {};
    const bool in_pass = at == At::handling || at == At::failed;
    if (session.role == Role::retry && at != At::failed) session.event = 0;
    if (session.role == Role::main && at == At::handling) session.event = 0;
    if (session.role == Role::main && !in_pass) {
        session.gen = session.had_turn = 0;
        session.had_success = false;
    }
    if (at == At::acknowledging) session.gen = session.had_turn = session.event = session.object = 0;
    if (at == At::acknowledging || in_debt) session.had_success = false;
}

/// Of a row that was tried only matters whether it is still the same.
void forget_attempts(State& state) {
    constexpr std::uint8_t other = 15;
    for (Session& session : state.sessions) {
        if (session.at != At::failed) continue;
        const Event& now = state.events[session.event];
        Event& tried = session.tried;
        const bool same =
            tried.status == now.status && tried.attempts == now.attempts && tried.due == now.due;
        const bool early = tried.status == Status::deferred && tried.due > 0;
        tried = {.status = same    ? now.status
                           : early ? Status::deferred
                                   : Status::absent,
                 .attempts = same ? std::uint8_t{0} : other,
                 .due = same ? now.due : static_cast<std::uint8_t>(early)};
    }
    for (Event& event : state.events) event.attempts = 0;
}

/// Of a death that is being told only matters whether it is the last one.
void forget_deaths(State& state) {
    for (Session& session : state.sessions) {
        const bool tells = session.at == At::producing_dlq || session.at == At::marking_dlq;
        session.death = tells && session.death == state.events[session.owed].deaths ? 1 : 0;
    }
    for (Event& event : state.events) event.deaths = 1;
}

void forget_read_wakeups(State& state) {
    std::uint8_t read = state.wakeups_acked;
    for (const Session& session : state.sessions) {
        if (session.role == Role::retry) read = std::min(read, session.position);
    }
    state.wakeups.erase(0, read);
    state.wakeups_acked = low(state.wakeups_acked - std::size_t{read});
    for (Session& session : state.sessions) {
        if (session.role == Role::retry) session.position = low(session.position - std::size_t{read});
    }
}

/// Of equal wakeups in a row that nobody has read yet, one says it all: reading it again is what a crash is
/// for.
void fold_unread_wakeups(State& state) {
    std::size_t unread = state.wakeups_acked;
    for (const Session& session : state.sessions) {
        if (session.role != Role::retry) continue;
        unread = std::max<std::size_t>(unread, session.position + (session.at == At::idle ? 0U : 1U));
    }
    for (std::size_t i = state.wakeups.size(); i-- > unread + 1;) {
        const Wakeup& one = state.wakeups[i - 1];
        const Wakeup& other = state.wakeups[i];
        if (one.object == other.object && one.gen == other.gen) state.wakeups.erase(i, 1);
    }
}

void forget_done_commands(State& state) {
    std::uint8_t done = state.commands_acked;
    for (const Session& session : state.sessions) {
        if (session.role == Role::command) done = std::min(done, session.position);
    }
    state.commands.erase(0, done);
    state.commands_acked = low(state.commands_acked - std::size_t{done});
    for (Session& session : state.sessions) {
        if (session.role == Role::command) session.position = low(session.position - std::size_t{done});
    }
}

}  // namespace

void normalize(const World& world, State& state) {
    for (Session& session : state.sessions) forget_what_is_over(session);
    forget_attempts(state);
    forget_deaths(state);
    forget_old_generations(state);
    forget_read_wakeups(state);
    forget_done_commands(state);
    if (world.budget.doubled_wakeups == 0) fold_unread_wakeups(state);
    std::ranges::sort(state.sessions.begin(), state.sessions.end(), {},
                      [](const Session& session) { return std::pair{session.role, !session.owner}; });
}

}  // namespace sluice::model
