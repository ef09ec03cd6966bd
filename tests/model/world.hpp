#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/model/few.hpp"

/// The world in which the lane rules (consumer/lane) are searched: a payment object or two, their records,
/// MySQL, the retry and command topics, and sessions of the roles that read them.
namespace sluice::model {

/// How often each kind of trouble may come in one history.
struct Budget {
    std::uint8_t failures = 0;    ///< of attempts
    std::uint8_t lacking = 0;     ///< attempts by a process whose configuration lacks the effect
    std::uint8_t crashes = 0;     ///< of sessions that own their partition
    std::uint8_t main_moves = 0;  ///< the partition goes to another owner and the old one does not notice
    std::uint8_t retry_moves = 0;
    std::uint8_t command_moves = 0;
    std::uint8_t lost_answers = 0;     ///< to COMMIT
    std::uint8_t lost_wakeups = 0;     ///< records of the retry topics that were acknowledged
    std::uint8_t doubled_wakeups = 0;  ///< records that the producer sent twice
    std::uint8_t commands = 0;         ///< of operators
};

/// What is fixed for a search.
struct World {
    std::string name;
    std::vector<std::uint8_t> records;  ///< of the main partition: the event that each one is
    std::vector<std::uint8_t> objects;  ///< by event: its object
    Budget budget;
    bool two_delays = false;  ///< some rows are due later than others
    bool supersede = false;   ///< `after_dead: skip_superseded`, the effects of all events being the same
    bool lets_pass = false;   ///< every death is a case of an effect with `after_case: pass`
    bool impatient = false;   ///< operators act on events that are not dead, too
    bool sweeper = false;
    std::size_t most_states = 8'000'000;
};

/// What MySQL holds of an event, and what only we know.
enum class Status : std::uint8_t { absent, done, skipped, deferred, retry, dead, parked };
struct Event {
    Status status = Status::absent;
    std::uint8_t attempts = 0;
    std::uint8_t due = 0;  ///< 0: now; else so many steps of time away
    std::uint8_t deaths = 0;
    bool dlq_owed = false;
    bool in_dlq = false;   ///< the broker has a record of it
    bool applied = false;  ///< its effects were committed

    bool operator==(const Event&) const = default;
};

/// The lane's own row.
struct LaneRow {
    std::uint8_t gen = 1;
    bool has_due = false;
    std::uint8_t due = 0;
    bool sent = true;
};

struct Wakeup {
    std::uint8_t object = 0;
    std::uint8_t gen = 0;
};

struct Command {
    std::uint8_t event = 0;
    bool skips = false;
    bool carried_out = false;
};

enum class Role : std::uint8_t { main, retry, command };

/// Where a session stands. Each step from one to another is atomic, as a transaction is, or a produce call.
enum class At : std::uint8_t {
    idle,
    first,            ///< main: the first transaction
    applying,         ///< main: inbox row inserted, lane seen open, not committed yet
    parking_late,     ///< main, without park_in_one_transaction
    producing_early,  ///< main, without commit_before_produce
    entering,         ///< main: the second transaction, after a failure
    handling,         ///< retry: one turn of its loop
    failed,           ///< retry: the second transaction, after a failure
    sending_again,    ///< retry: the effect is not known here
    commanded,        ///< command: the transaction that carries it out
    producing_wakeup,
    marking_wakeup,
    producing_dlq,
    marking_dlq,
    acknowledging,
};

struct Session {
    Role role = Role::main;
    bool owner = true;   ///< false: a zombie
    bool acked = false;  ///< without produce_before_ack: ahead of its debts
    At at = At::idle;
    std::uint8_t position = 0;  ///< in its topic
    std::uint8_t event = 0;     ///< what is at hand: a record's event, or the row that was tried
    std::uint8_t object = 0;
    std::uint8_t gen = 0;    ///< of the wakeup at hand
    std::uint8_t owed = 0;   ///< what is being produced: an event's DLQ record or a generation
    std::uint8_t death = 0;  ///< of that event
    bool had_success = false;
    std::uint8_t had_turn = 0;
    Event tried;                   ///< as it was read before the attempt
    Status fate = Status::absent;  ///< what the failure makes of it
    std::uint8_t fate_due = 0;
};

struct State {
    Few<Event, 4> events;
    Few<LaneRow, 2> lanes;
    Few<Wakeup, 14> wakeups;
    Few<Command, 3> commands;
    Few<Session, 7> sessions;
    std::uint8_t records_acked = 0;
    std::uint8_t wakeups_acked = 0;
    std::uint8_t commands_acked = 0;
    Budget spent;
    const char* violation = nullptr;  ///< the promise that was just broken; such a state is an end
};

[[nodiscard]] State initial_state(const World& world);

/// Everything accepted is finished or visibly waits for an operator, and nobody has anything left to do.
[[nodiscard]] bool is_settled(const World& world, const State& state);

/// Makes one of states that no rule can tell apart: old generations, wakeups that everybody has read.
void normalize(const World& world, State& state);

/// A normalized state as bytes, and back.
void encode(const State& state, std::string& out);
[[nodiscard]] State decode(const World& world, std::string_view bytes);

}  // namespace sluice::model
