#pragma once

#include "common/config/problems.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// Refuses places of parameters and of `when.body` that can never have what is asked for, since all sources
/// that the effect is for send forms: a boolean (fields are text), and a pointer below a field. Problems name
/// the parameter's line.
void check_possible_reads(const Effect& effect, const webhook::SourceSet& sources,
                          config::Problems& problems);

}  // namespace sluice::effects
