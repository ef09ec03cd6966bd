#pragma once

#include "common/config/problems.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// Refuses :occurred_at in `newer` where no source that the effect is for says when an event occurred: each
/// event would park. Problems are at the column's place.
void check_newer_times(const Effect& effect, const webhook::SourceSet& sources, config::Problems& problems);

}  // namespace sluice::effects
