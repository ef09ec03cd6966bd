#pragma once

#include "common/config/problems.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// Warns of facts of payments that an effect needs and a recipe of its sources never says of a kind that the
/// effect is for: such events park. Not where `when` has types or a body, which may leave them out. `place`
/// is the effect's, for facts that are not in `let`.
void doubt_unsaid_facts(const Effect& effect, const webhook::SourceSet& sources, const config::Place& place,
                        config::Problems& problems);

}  // namespace sluice::effects
