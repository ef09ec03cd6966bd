#pragma once

#include <memory>

#include "common/config/section.hpp"
#include "ingress/verify/recipe_set.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::verify {

/// One entry of `sources:` with its keys, by itself (read_sources looks at all of them together). Nothing
/// when anything about it is wrong, which is among the problems then.
[[nodiscard]] std::shared_ptr<const Source> read_source(config::Section section, const RecipeSet& recipes,
                                                        config::Problems& problems);

}  // namespace sluice::verify
