#pragma once

#include "common/config/section.hpp"
#include "common/webhook/recipe/recipe.hpp"
#include "common/webhook/source_file/setting_values.hpp"

namespace sluice::webhook {

/// `with:` of a source: every setting of the recipe, and no other. Without `resolve`, of secrets and
/// files only those are read that bodies are decoded with.
[[nodiscard]] SettingValues read_settings(config::Section with, const Recipe& recipe, bool resolve,
                                          config::Problems& problems);

}  // namespace sluice::webhook
