#pragma once

#include "common/config/problems.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

// Parts of check_safety: what makes a recipe over forms unsafe.

/// A signature among what it signs; facts in fields that no signature covers.
void check_form_input(const Recipe& recipe, const Input& input, const config::Place& place,
                      config::Problems& problems);
void check_form_facts(const Recipe& recipe, config::Problems& problems);
/// The answer to a challenge is the same text as a signature of it.
void check_challenge(const Recipe& recipe, config::Problems& problems);

}  // namespace sluice::webhook
