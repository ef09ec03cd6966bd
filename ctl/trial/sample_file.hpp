#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ctl/console.hpp"
#include "ctl/trial/sample.hpp"
#include "ingress/verify/recipe_set.hpp"
#include "ingress/verify/source.hpp"

namespace sluice::ctl {

/// A recipe's samples: `recipe`, `source`, `samples`, and `recipes` where the recipe is written in it too.
struct SampleFile {
    std::shared_ptr<const verify::Source> source;
    std::vector<Sample> samples;
};

/// Throws Stopped(usage) with all that is wrong, each with its line. `recipes` are those that there are
/// already; the file's own are added.
[[nodiscard]] SampleFile read_sample_file(const std::string& path, verify::RecipeSet recipes,
                                          Console& console);

}  // namespace sluice::ctl
