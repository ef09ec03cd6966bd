#include "consumer/telemetry/effect_times.hpp"

namespace sluice::consumer {

EffectTimes::EffectTimes(const effects::EffectSet& effects, const Clock& clock, Metrics& metrics)
    : clock_{clock} {
    for (const auto& effect : effects.all()) {
        auto& histogram =
            metrics.histogram("sluice_consumer_effect_seconds", "Time of an effect's run for one event",
                              request_seconds_bounds(), {{"effect", effect->name()}});
        by_effect_.emplace(effect.get(), &histogram);
    }
}

void EffectTimes::took(const effects::Effect& effect, const effects::Verdict& /*verdict*/,
                       SteadyTime::duration time) {
    by_effect_.at(&effect)->Observe(std::chrono::duration<double>(time).count());
}

}  // namespace sluice::consumer
