#pragma once

#include "common/clock.hpp"
#include "consumer/effects/outcome/verdict.hpp"

namespace sluice::effects {

class Effect;

/// Gets how each run of an effect for one event ended, and how long it took. What is done for many events at
/// once is counted for none. Thread-safe.
class Timing {
public:
    virtual ~Timing() = default;
    [[nodiscard]] virtual SteadyTime now() const = 0;
    virtual void took(const Effect& effect, const Verdict& verdict, SteadyTime::duration time) = 0;
};

}  // namespace sluice::effects
