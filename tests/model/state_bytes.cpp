#include "tests/model/world.hpp"

// A state as bytes: what the set of known states holds.
namespace sluice::model {
namespace {

std::uint8_t byte_of(std::size_t number) {
    return static_cast<std::uint8_t>(number);
}

void append(std::string& out, std::uint8_t byte) {
    out.push_back(static_cast<char>(byte));
}

std::uint8_t flags(bool one, bool two, bool three = false, bool four = false) {
    return byte_of((one ? 1U : 0U) | (two ? 2U : 0U) | (three ? 4U : 0U) | (four ? 8U : 0U));
}

void append(std::string& out, const Event& event) {
    append(out, byte_of(static_cast<unsigned>(event.status) | unsigned{event.due} << 4U));
    append(out, byte_of(unsigned{event.attempts} << 4U | flags(event.dlq_owed, event.in_dlq, event.applied)));
}

void append(std::string& out, const Session& session) {
    append(out, byte_of(static_cast<unsigned>(session.role) | unsigned{session.owner} << 2U |
                        unsigned{session.acked} << 3U));
    append(out, static_cast<std::uint8_t>(session.at));
    append(out, session.position);
    if (session.at == At::idle) return;
    append(out, byte_of(unsigned{session.event} | unsigned{session.object} << 4U |
                        unsigned{session.death} << 6U | unsigned{session.had_success} << 7U));
    append(out, byte_of(unsigned{session.gen} | unsigned{session.owed} << 4U));
    append(out, byte_of(static_cast<unsigned>(session.fate) | unsigned{session.fate_due} << 4U));
    append(out, session.had_turn);
    append(out, session.tried);
}

/// Reads what `append` wrote.
class Bytes {
public:
    explicit Bytes(std::string_view text) : text_{text} {}
    std::uint8_t next() { return static_cast<std::uint8_t>(text_[at_++]); }
    [[nodiscard]] bool more() const { return at_ < text_.size(); }

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

Event read_event(Bytes& bytes) {
    const unsigned first = bytes.next();
    const unsigned second = bytes.next();
    return {.status = static_cast<Status>(first & 15U),
            .attempts = byte_of(second >> 4U),
            .due = byte_of(first >> 4U),
            .deaths = 1,
            .dlq_owed = (second & 1U) != 0,
            .in_dlq = (second & 2U) != 0,
            .applied = (second & 4U) != 0};
}

Session read_session(Bytes& bytes) {
    Session session;
    const unsigned first = bytes.next();
    session.role = static_cast<Role>(first & 3U);
    session.owner = (first & 4U) != 0;
    session.acked = (first & 8U) != 0;
    session.at = static_cast<At>(bytes.next());
    session.position = bytes.next();
    if (session.at == At::idle) return session;
    const unsigned what = bytes.next();
    session.event = byte_of(what & 15U);
    session.object = byte_of(what >> 4U & 3U);
    session.death = byte_of(what >> 6U & 1U);
    session.had_success = (what & 128U) != 0;
    const unsigned gens = bytes.next();
    session.gen = byte_of(gens & 15U);
    session.owed = byte_of(gens >> 4U);
    const unsigned fate = bytes.next();
    session.fate = static_cast<Status>(fate & 15U);
    session.fate_due = byte_of(fate >> 4U);
    session.had_turn = bytes.next();
    session.tried = read_event(bytes);
    return session;
}

constexpr std::uint8_t Budget::* budgets[] = {
    &Budget::failures,        &Budget::lacking,       &Budget::crashes,      &Budget::main_moves,
    &Budget::retry_moves,     &Budget::command_moves, &Budget::lost_answers, &Budget::lost_wakeups,
    &Budget::doubled_wakeups, &Budget::commands};

}  // namespace

void encode(const State& state, std::string& out) {
    out.clear();
    for (const Event& event : state.events) append(out, event);
    for (const LaneRow& lane : state.lanes) {
        append(out, byte_of(flags(lane.has_due, lane.sent) | unsigned{lane.due} << 4U));
    }
    for (const auto part : budgets) append(out, state.spent.*part);
    append(out, state.records_acked);
    append(out, byte_of(unsigned{state.wakeups_acked} | state.wakeups.size() << 4U));
    append(out, byte_of(unsigned{state.commands_acked} | state.commands.size() << 4U));
    for (const Wakeup& wakeup : state.wakeups)
        append(out, byte_of(unsigned{wakeup.gen} | unsigned{wakeup.object} << 4U));
    for (const Command& command : state.commands) {
        append(out,
               byte_of(unsigned{command.event} | unsigned{flags(command.skips, command.carried_out)} << 4U));
    }
    for (const Session& session : state.sessions) append(out, session);
}

State decode(const World& world, std::string_view text) {
    Bytes bytes{text};
    State state = initial_state(world);
    for (Event& event : state.events) event = read_event(bytes);
    for (LaneRow& lane : state.lanes) {
        const unsigned byte = bytes.next();
        lane = {.gen = 1, .has_due = (byte & 1U) != 0, .due = byte_of(byte >> 4U), .sent = (byte & 2U) != 0};
    }
    for (const auto part : budgets) state.spent.*part = bytes.next();
    state.records_acked = bytes.next();
    const unsigned wakeups = bytes.next();
    const unsigned commands = bytes.next();
    state.wakeups_acked = byte_of(wakeups & 15U);
    state.commands_acked = byte_of(commands & 15U);
    for (unsigned i = 0; i < wakeups >> 4U; ++i) {
        const unsigned byte = bytes.next();
        state.wakeups.push_back({.object = byte_of(byte >> 4U), .gen = byte_of(byte & 15U)});
    }
    for (unsigned i = 0; i < commands >> 4U; ++i) {
        const unsigned byte = bytes.next();
        state.commands.push_back(
            {.event = byte_of(byte & 15U), .skips = (byte & 16U) != 0, .carried_out = (byte & 32U) != 0});
    }
    state.sessions.resize(0);
    while (bytes.more()) state.sessions.push_back(read_session(bytes));
    return state;
}

}  // namespace sluice::model
