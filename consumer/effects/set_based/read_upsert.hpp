#pragma once

#include "common/config/section.hpp"
#include "consumer/effects/effect/when.hpp"
#include "consumer/effects/set_based/change.hpp"
#include "consumer/effects/value/name_scope.hpp"

namespace sluice::effects {

/// All of `upsert` but its table. What is wrong goes to the section's problems.
[[nodiscard]] Upsert read_upsert(config::Section& section, NameScope& names);

/// All of `mirror` but its table: an upsert that says where its values are, and so what its table is like.
[[nodiscard]] Upsert read_mirror(config::Section& section, NameScope& names, const When& when);

}  // namespace sluice::effects
