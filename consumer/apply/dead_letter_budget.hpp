#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/lane/rules/budget.hpp"

namespace sluice::effects {
class Effect;
}

namespace sluice::consumer {

/// The process's one lane::Budget: reports when an effect's is used up and when nothing succeeds at all.
/// Readiness `effects` names the effects that may give up no more, with the last error of each (of five
/// at most), and why the process has paused.
/// Thread-safe.
class DeadLetterBudget {
public:
    /// All outlive it.
    DeadLetterBudget(const lane::BudgetSettings& settings, const Clock& clock, Log& log, Metrics& metrics,
                     Readiness& readiness);

    /// What may be run next of the log: everything, one event to see, or nothing. After `one` exactly one of
    /// `succeeded`, `failed` and `told_nothing` has to follow.
    enum class Gate { everything, one, nothing };
    [[nodiscard]] Gate gate();

    /// An event was applied, in either role. Costs next to nothing while all is well.
    void succeeded(std::span<const effects::Effect* const> effects);
    [[nodiscard]] bool is_calm() const noexcept { return is_calm_.load(std::memory_order_relaxed); }
    /// An event of the log was run and failed; `reason` is for people, without data of the event.
    void failed(std::string_view reason);
    void told_nothing();
    /// A rule left an event to a person: the effects work. Nobody's budget grows by it.
    void decided();

    /// Whether an event that is given up may die. If not it is tried again after lane::held_for.
    [[nodiscard]] bool may_dead_letter(std::string_view subject, std::string_view reason);

private:
    // Under the lock.
    void tell();
    void tell_breaker();
    [[nodiscard]] Gauge& left_of(const std::string& subject);
    void tell_readiness(const std::set<std::string>& used_up);

    const Clock& clock_;
    Log& log_;
    Metrics& metrics_;
    Readiness& readiness_;
    std::atomic<bool> is_calm_ = true;
    std::mutex mutex_;
    lane::Budget budget_;
    int whole_;
    std::string last_reason_;
    std::map<std::string, std::string, std::less<>> reasons_;  // the last of each subject that spends
    lane::Breaker::State told_state_ = lane::Breaker::State::closed;
    std::set<std::string> told_spending_;
    std::set<std::string> told_used_up_;
};

}  // namespace sluice::consumer
