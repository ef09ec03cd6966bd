#pragma once

#include "common/config/problems.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// Refuses what reads well but cannot be safe: a signature that does not cover the body, a
/// timestamp that it does not cover, signed text with two readings, names that mean two things, facts read
/// from what it does not cover.
void check_safety(const Recipe& recipe, config::Problems& problems);

}  // namespace sluice::webhook
