#include "consumer/telemetry/effect_times.hpp"

namespace sluice::consumer {

EffectTimes::EffectTimes(const effects::EffectSet& effects, const Clock& clock, Metrics& metrics)
    : clock_{clock} {
    for (const auto& effect : effects.all()) {
        auto& histogram =
            metrics.histogram("sluice_consumer_effect_seconds", "Time of an effect's run for one event",
                              request_seconds_bounds(), {{"effect", effect->name()}});
        auto& its = by_effect_[effect.get()];
        its.seconds = &histogram;
        if (effect->may_be_stale())
            its.stale =
                &metrics.counter("sluice_consumer_effect_stale_total",
                                 "Runs whose upsert found its row as new or newer, even if rolled back later",
                                 {{"effect", effect->name()}});
    }
}

void EffectTimes::took(const effects::Effect& effect, const effects::Verdict& verdict,
                       SteadyTime::duration time) {
    by_effect_.at(&effect).seconds->Observe(std::chrono::duration<double>(time).count());
    if (verdict.is_stale) were_stale(effect, 1);
}

void EffectTimes::were_stale(const effects::Effect& effect, std::size_t events) {
    by_effect_.at(&effect).stale->Increment(static_cast<double>(events));
}

}  // namespace sluice::consumer
