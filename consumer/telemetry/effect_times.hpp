#pragma once

#include <map>

#include "common/clock.hpp"
#include "common/telemetry/metrics.hpp"
#include "consumer/effects/effect/timing.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"

namespace sluice::consumer {

/// sluice_consumer_effect_seconds: which effect is slow. sluice_consumer_effect_stale_total: whose events
/// come after newer ones. Thread-safe.
class EffectTimes final : public effects::Timing {
public:
    /// All outlive it.
    EffectTimes(const effects::EffectSet& effects, const Clock& clock, Metrics& metrics);

    [[nodiscard]] SteadyTime now() const override { return clock_.steady(); }
    void took(const effects::Effect& effect, const effects::Verdict& verdict,
              SteadyTime::duration time) override;
    void were_stale(const effects::Effect& effect, std::size_t events) override;

private:
    const Clock& clock_;
    struct OfEffect {
        Histogram* seconds = nullptr;
        Counter* stale = nullptr;  // where it upserts
    };
    std::map<const effects::Effect*, OfEffect> by_effect_;  // of all, from the start
};

}  // namespace sluice::consumer
