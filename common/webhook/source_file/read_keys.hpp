#pragma once

#include <vector>

#include "common/config/section.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// `keys:` of a source: {id, value: {file or env}, not_before, not_after}. With `resolve`, secrets
/// are read and turned into key bytes by the recipe's rules, and there must be at least one; without
/// it only their form is checked and none comes back.
[[nodiscard]] std::vector<Key> read_keys(config::Section& source, const Recipe& recipe, bool resolve,
                                         config::Problems& problems);

}  // namespace sluice::webhook
