#pragma once

#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/effect/when.hpp"

namespace sluice::effects {

/// A sentence for each type of `when` that is one slip (a letter wrong, missing, superfluous or swapped) away
/// from one by which a recipe of its sources tells payments, and is none of them. Recipes do not list all
/// types of their providers, so a type that is like none of these is nobody's mistake; nor is one that ends
/// with *. Pure.
[[nodiscard]] std::vector<std::string> doubts_of_types(const When& when, const webhook::SourceSet& sources);

}  // namespace sluice::effects
