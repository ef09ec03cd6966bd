#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "consumer/process/effects_memory.hpp"
#include "consumer/process/process.hpp"
#include "consumer/process/startup.hpp"

namespace sluice::consumer {

/// Exports the gauges of effects, so that they are there from the start.
void export_effects_gauges(Metrics& metrics);

/// Waits until our effects may be applied, and records them where their revision is the highest: from then on
/// processes with other effects leave. If others are recorded, under a higher revision or under ours, the
/// process records nothing until its own are in force again (EffectsMemory). Runs last before the group is
/// joined, so that no process leaves for one that cannot begin. Readiness `effects_revision` says why it
/// waits. False after a stop.
[[nodiscard]] bool wait_for_effects(Process& process, EffectsMemory& memory, const WaitOrStop& wait);

/// A thread that asks MySQL twice a second what time it is there (DatabaseClock), and whether other effects
/// have come in force. If so, the process is unready and the role has to leave, since only another file can
/// go on. If a fail-over of MySQL has lost a record of ours, the thread writes it again. Transactions look
/// for themselves (consumer/apply/in_force.hpp).
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
    std::uint64_t moves_ = 0;  // of sessions to other servers
    EffectsMemory memory_;     // of the thread alone
    std::atomic<bool> overtaken_ = false;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
