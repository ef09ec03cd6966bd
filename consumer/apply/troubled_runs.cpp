#include "consumer/apply/troubled_runs.hpp"

namespace sluice::consumer {

namespace {

bool was_run_to_its_end(const Setback& setback) {
    return !setback.effect.empty() && !setback.database && !setback.is_held && setback.own_class.empty();
}

}  // namespace

void note_run(TroubledRuns& runs, const Setback& setback, SteadyTime now) {
    if (was_run_to_its_end(setback)) runs = {};
    if (!setback.of_effects || setback.database != store::ErrorClass::connection) return;
    if (runs.times++ == 0) runs.first = now;
    runs.effect = setback.effect;
    const bool lasts = runs.times >= most_troubled_runs && now - runs.first >= shortest_trouble;
    runs.is_cause = runs.is_cause || setback.overran || lasts;
}

Setback without_culprit(Setback setback) {
    setback.overran = false;
    return setback;
}

std::optional<Setback> failure_if_cause(const TroubledRuns& runs) {
    if (!runs.is_cause) return std::nullopt;
    Setback setback;
    setback.outcome = effects::Outcome::retry;
    setback.database = store::ErrorClass::overdue;
    setback.reason = "effect " + runs.effect + ": the MySQL session ended every time that it ran";
    setback.effect = runs.effect;
    setback.of_effects = true;
    setback.was_not_run = true;
    return setback;
}

void forgive_once(TroubledRuns& runs) noexcept {
    runs.is_cause = false;
}

}  // namespace sluice::consumer
