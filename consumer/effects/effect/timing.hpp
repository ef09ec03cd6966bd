#pragma once

#include "common/clock.hpp"

namespace sluice::effects {

class Effect;

/// Gets how long each run of an effect for one event took, with any outcome. What is done for many events at
/// once is counted for none. Thread-safe.
class Timing {
public:
    virtual ~Timing() = default;
    [[nodiscard]] virtual SteadyTime now() const = 0;
    virtual void took(const Effect& effect, SteadyTime::duration time) = 0;
};

}  // namespace sluice::effects
