#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/webhook/recipe/source.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "ctl/cli/console.hpp"
#include "ctl/recipes/test/sample.hpp"

namespace sluice::ctl {

/// A recipe's samples: `recipe`, `source`, `samples`, and `recipes` where the recipe is written in it too.
struct SampleFile {
    std::shared_ptr<const webhook::Source> source;
    std::vector<Sample> samples;
};

/// Throws Stopped(usage) with all that is wrong, each with its line. `recipes` are those that there are
/// already; the file's own are added.
[[nodiscard]] SampleFile read_sample_file(const std::string& path, webhook::RecipeSet recipes,
                                          Console& console);

}  // namespace sluice::ctl
