#pragma once

#include <cstddef>

#include "common/clock.hpp"
#include "consumer/effects/outcome/verdict.hpp"

namespace sluice::effects {

class Effect;

/// Gets how each run of an effect for one event ended, and how long it took. The time of what is done for
/// many events at once is counted for none. Thread-safe.
class Timing {
public:
    virtual ~Timing() = default;
    [[nodiscard]] virtual SteadyTime now() const = 0;
    virtual void took(const Effect& effect, const Verdict& verdict, SteadyTime::duration time) = 0;
    /// Of many events at once: for so many an upsert was ignored (Verdict::is_stale).
    virtual void were_stale(const Effect& /*effect*/, std::size_t /*events*/) {}
};

}  // namespace sluice::effects
