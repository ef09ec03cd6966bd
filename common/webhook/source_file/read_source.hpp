#pragma once

#include <memory>

#include "common/config/section.hpp"
#include "common/webhook/recipe/source.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"

namespace sluice::webhook {

/// One entry of `sources:` with its keys, by itself (read_sources looks at all of them together). Nothing
/// when anything about it is wrong, which is among the problems then.
[[nodiscard]] std::shared_ptr<const Source> read_source(config::Section section, const RecipeSet& recipes,
                                                        config::Problems& problems);

}  // namespace sluice::webhook
