#pragma once

#include "common/config/problems.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// Refuses parameters that are read out of fields or headers which a source that the effect is for does not
/// sign (Source::signed_fields, Program::readings), unless its `when` says `trust: fields`; and headers that
/// none of them keeps. Problems name the parameter's line.
void check_signed_reads(const Effect& effect, const webhook::SourceSet& sources, config::Problems& problems);

}  // namespace sluice::effects
