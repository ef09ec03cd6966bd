#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "consumer/effects_memory.hpp"
#include "consumer/process.hpp"
#include "consumer/startup.hpp"

namespace sluice::consumer {

/// What is counted of them is there from the start.
void export_effects_gauges(Metrics& metrics);

/// Waits until our effects may be applied, and records them where their revision is the highest: from then on
/// processes with others leave. Who finds others, under a higher revision or under its own, records nothing
/// until theirs are in force again (EffectsMemory). Last before the group is joined, so that processes do not
/// leave for one that cannot begin. Readiness `effects_revision` says why it waits. False after a stop.
[[nodiscard]] bool wait_for_effects(Process& process, EffectsMemory& memory, const WaitOrStop& wait);

/// A thread that looks at MySQL twice a second: what time it is there (DatabaseClock), and whether other
/// effects have come in force. Then the process is unready and the role has to leave, since only another file
/// can go on. A record of ours that a fail-over of MySQL
/// has lost it writes again. Transactions look for themselves (consumer/apply/in_force.hpp).
class EffectsGuard {
public:
    EffectsGuard(Process& process, const EffectsMemory& memory);  ///< the process outlives it
    ~EffectsGuard();                                              ///< waits for what is under way

    [[nodiscard]] bool is_overtaken() const noexcept { return overtaken_; }

private:
    void run(const std::stop_token& stop);
    void look();

    Process& process_;
    std::unique_ptr<store::Connection> connection_;
    EffectsMemory memory_;  // of the thread alone
    std::atomic<bool> overtaken_ = false;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
