#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/apply/setback.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/lane/rules/holds.hpp"

namespace sluice::consumer {

/// The process's one lane::Holds: reports which effects are held, and why. Readiness `held_effects` names
/// them. Thread-safe.
class EffectHolds {
public:
    using Effects = std::span<const effects::Effect* const>;

    /// All outlive it.
    EffectHolds(const Clock& clock, Log& log, Metrics& metrics, Readiness& readiness);

    /// Why an event with these effects would fail; nullopt: nothing is known of them.
    [[nodiscard]] std::optional<Setback> held(Effects effects);
    /// The same of one that is about to run; nullopt: it runs, and `ran` has to follow.
    [[nodiscard]] std::optional<Setback> not_admitted(Effects effects);
    /// What a run came to; `setback` null: it went through.
    void ran(Effects effects, const Setback* setback);
    /// An effect that lacks something, found before any event was run.
    void lacks(std::string_view effect, std::string_view what);

    /// Whether what held effects lack is there now; costs next to nothing while none is held. Called by
    /// workers between events. An error is the connection's.
    [[nodiscard]] Result<void> look_again(const effects::EffectSet& effects, store::Connection& connection);

    /// No effect has any trouble.
    [[nodiscard]] bool is_calm() const noexcept { return is_calm_.load(std::memory_order_relaxed); }

private:
    void tell();  // under the lock

    const Clock& clock_;
    Log& log_;
    Metrics& metrics_;
    Readiness& readiness_;
    std::atomic<bool> is_calm_ = true;
    std::mutex mutex_;
    lane::Holds holds_;
    std::set<std::string> told_;
};

}  // namespace sluice::consumer
