#pragma once

#include <map>
#include <thread>

#include "consumer/database/database.hpp"
#include "consumer/destination/destination.hpp"
#include "consumer/process/process.hpp"
#include "consumer/relay_role/circuit.hpp"
#include "consumer/relay_role/outcomes.hpp"
#include "consumer/relay_role/sender.hpp"
#include "consumer/relay_role/slot_visit.hpp"

namespace sluice::consumer {

/// A thread that sends the messages of one destination, so that one that hangs delays no other. Any number of
/// processes may do so: each works on slots whose lock it holds. A message is marked after its destination
/// has it; a process that dies between the two has it sent again, with the same idempotency key.
class DestinationRelay {
public:
    /// `process` and `destination` outlive it. Throws config::Refused where its secrets cannot be read.
    DestinationRelay(Process& process, const destination::Destination& destination);
    ~DestinationRelay();  ///< what is on its way is waited for, and marked; ten seconds at most

    void ask_to_stop() { thread_.request_stop(); }
    /// For /livez; any thread.
    [[nodiscard]] SteadyTime last_turn() const noexcept { return last_turn_; }

private:
    using End = SlotVisit::End;

    void run(const std::stop_token& stop);
    /// One visit of each slot that has messages.
    [[nodiscard]] End turn(store::Connection& connection, const std::stop_token& stop);
    [[nodiscard]] End visit(store::Connection& connection, const store::OutboxSlot& slot,
                            const std::stop_token& stop);
    [[nodiscard]] End lost(const store::Connection& connection);
    [[nodiscard]] bool outlives_a_call(store::Connection& connection);
    void show_oldest();
    void show_circuit(bool was_open);
    /// Until the next turn; the last one took `took`, and began when the bell had rung `rings` times.
    void wait(const std::stop_token& stop, End turn, SteadyTime::duration took, std::uint64_t rings);

    Process& process_;
    std::string name_;
    std::unique_ptr<Sender> sender_;
    Random random_;
    Database database_;
    Outcomes outcomes_;
    Circuit circuit_;
    Gauge& oldest_;
    Gauge& resting_;
    std::map<int, std::chrono::seconds> oldest_by_slot_;  ///< as they were visited last
    bool knows_the_destination_ = false;  ///< or another relay does, since the last turn began
    std::uint64_t session_ = 0;           ///< whose idle limit is set
    std::atomic<SteadyTime> last_turn_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
