#pragma once

#include "common/config/problems.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// What makes a key that comes with the message unsafe: missing settings, so that nothing says whom to
/// trust. Part of check_safety.
void check_certificate(const Recipe& recipe, config::Problems& problems);

}  // namespace sluice::webhook
