#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "consumer/lane/rules/breaker.hpp"

/// How much may be dead-lettered while nothing succeeds. One poison event among healthy ones dies at once; a
/// deploy that breaks an effect must not empty the topic into the DLQ.
///
/// Each subject has its own budget: the effect that decided, or, where no effect did, what the caller names
/// instead (a source, a kind of dead letter). A death takes one of it; a success of the subject brings one
/// back, and so does time, until it is used up. From then on successes do, and time a tenth as fast, so that
/// of a subject that always fails at most
///     events + time until then / refill + time since then / (10 refill)
/// events die, and in any case at most that and its successes. Other subjects are not affected.
///
/// What may not die is written to its lane as an event to be tried again after `held_for`, uncounted: the
/// next event of the log goes on, each attempt is a probe of the effect, and operators may skip it as ever.
///
/// When nothing of any subject succeeds, lanes would take in the whole topic: after `pause_after` failures in
/// a row, of all subjects, the breaker opens. The main role then runs nothing, keeps polling, and probes with
/// one event after 1 s, 2 s, … 30 s; any success closes it. Until then no event dies.
namespace sluice::lane {

struct BudgetSettings {
    int events = 20;                               ///< of each subject; 0: no budget, everything may die
    Milliseconds refill{std::chrono::minutes{5}};  ///< brings one back
    int pause_after = 1000;                        ///< failures in a row; 0: never
};

/// Until an event that may not die is tried again.
inline constexpr Milliseconds held_for = std::chrono::minutes{2};

/// Not thread-safe; the owner of the one object per process locks it. Remembers only subjects whose
/// budget is not whole, at most 1000 of them by name: further ones share one budget.
class Budget {
public:
    explicit Budget(const BudgetSettings& settings);

    /// An event was applied; `subjects`: its effects. Either role reports it.
    void succeeded(std::span<const std::string_view> subjects, SteadyTime now);
    /// An event that came from the log ran and failed, no matter what becomes of it (not: was deferred). The
    /// retry role does not report failures: what it runs is in lanes already.
    void failed(SteadyTime now);
    /// An event that came from the log gave no result: deferred, parked, or the database was in trouble.
    void told_nothing() { breaker_.probe_back(); }

    /// Whether the next event of the log may be run. Half open, it is the probe: then `succeeded`, `failed`
    /// or `told_nothing` has to follow.
    [[nodiscard]] bool admits(SteadyTime now) { return breaker_.admits(now); }

    /// Whether an event that is given up may die, which takes one of the subject's budget.
    [[nodiscard]] bool may_dead_letter(std::string_view subject, SteadyTime now);

    /// Of the whole process.
    [[nodiscard]] const Breaker& breaker() const noexcept { return breaker_; }

    struct Subject {
        std::string name;
        Breaker::State state;  ///< open: nothing left; half open: has been, not yet whole again
        int left;
    };
    /// By name, those whose budget is not whole: for readiness, log and metrics.
    [[nodiscard]] std::vector<Subject> spending(SteadyTime now) const;

private:
    struct Tokens {
        int left;
        bool ran_out;
        SteadyTime refilled_at;
    };
    using TokensBySubject = std::map<std::string, Tokens, std::less<>>;

    [[nodiscard]] Tokens refilled(Tokens tokens, SteadyTime now) const;
    [[nodiscard]] TokensBySubject::iterator tokens_of(std::string_view subject, SteadyTime now);
    [[nodiscard]] bool is_whole(const Tokens& tokens) const noexcept {
        return tokens.left >= settings_.events;
    }
    void pay_back(std::string_view subject, SteadyTime now);
    void forget_whole(SteadyTime now);

    BudgetSettings settings_;
    Breaker breaker_;
    TokensBySubject tokens_;
};

}  // namespace sluice::lane
