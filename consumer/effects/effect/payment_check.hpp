#pragma once

#include <optional>

#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// What an effect for payments comes to without being run: `park` where nobody can tell the kind of payment,
/// `ignore` where it is none of those that the effect is for. An event in a lane is bound to its effects by
/// name, and by the time of its turn the recipe or its source's settings may say another kind. nullopt: run
/// it.
[[nodiscard]] std::optional<Verdict> verdict_without_run(const Effect& effect, const EventBody& body);

}  // namespace sluice::effects
