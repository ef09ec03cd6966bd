#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "consumer/process.hpp"
#include "consumer/startup.hpp"

namespace sluice::consumer {

/// What is counted of them is there from the start.
void export_effects_gauges(Metrics& metrics);

/// Waits until our effects may be applied, and records them where their revision is the highest: from then on
/// processes with others leave. Last before the group is joined, so that they do not leave for one that
/// cannot begin. Readiness `effects_revision` says why it waits. False after a stop.
[[nodiscard]] bool wait_for_effects(Process& process, const WaitOrStop& wait);

/// A thread that looks twice a second whether other effects have come in force: then the process is unready
/// and the role has to leave, since only another file can go on. Transactions look for themselves
/// (consumer/apply/in_force.hpp).
class EffectsGuard {
public:
    explicit EffectsGuard(Process& process);  ///< which outlives it
    ~EffectsGuard();                          ///< waits for what is under way

    [[nodiscard]] bool is_outdated() const noexcept { return outdated_; }

private:
    void run(const std::stop_token& stop);
    void look();

    Process& process_;
    std::unique_ptr<store::Connection> connection_;
    std::atomic<bool> outdated_ = false;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
