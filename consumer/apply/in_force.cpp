#include "consumer/apply/in_force.hpp"

#include "common/error.hpp"

namespace sluice::consumer {

Result<void> still_in_force(store::Connection& connection, const Rules& rules) {
    const auto recorded = store::effects_in_force(connection);
    if (!recorded) return Failure{recorded.error()};
    if (store::standing_of(rules.effects.version(), *recorded) != store::EffectsStanding::in_force)
        return Failure{errc::stopped};
    return {};
}

}  // namespace sluice::consumer
