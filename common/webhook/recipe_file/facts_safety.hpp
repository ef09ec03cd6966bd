#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/problems.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// Part of check_safety: refuses facts (id, type, object, time, day, mode, digest) that a recipe of trust
/// `full` reads from what its signature does not cover, and under trust `type` all of those but the type.
/// Under that trust the id may hold what the type is read from, since one body may be two events.
void check_facts(const Recipe& recipe, config::Problems& problems);

/// The same for a source's own order_by: the first place that is not covered, in words.
[[nodiscard]] std::optional<std::string> uncovered_place(const Recipe& recipe,
                                                         const std::vector<ObjectField>& order_by);

/// Where the items of a delivery are signed each: the fields that are, as pointers. Empty: all there is.
[[nodiscard]] std::vector<std::string> signed_fields(const Recipe& recipe);

}  // namespace sluice::webhook
