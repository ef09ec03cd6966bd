#pragma once

#include "common/clock.hpp"

namespace sluice::effects {

class Effect;

/// Is told how long each run of an effect for one event took, whatever came of it. What is done for many
/// events at once is nobody's. Thread-safe.
class Timing {
public:
    virtual ~Timing() = default;
    [[nodiscard]] virtual SteadyTime now() const = 0;
    virtual void took(const Effect& effect, SteadyTime::duration time) = 0;
};

}  // namespace sluice::effects
