#pragma once

#include <CLI/CLI.hpp>

#include "ctl/console.hpp"
#include "ctl/options.hpp"
#include "ingress/verify/recipe_set.hpp"

namespace sluice::ctl {

/// What stands under `sluicectl recipes`, as in commands.hpp: each in the file of its name.
void add_recipe_show(CLI::App& recipes, Console& console);
void add_recipe_page(CLI::App& recipes, Console& console);
void add_recipe_test(CLI::App& recipes, Console& console);

/// The built-in ones, and with a configuration those of its own. Throws config::Refused.
[[nodiscard]] verify::RecipeSet read_recipes(const CommonOptions& common, Console& console);
/// Throws Stopped(usage), naming those that there are.
[[nodiscard]] const verify::Recipe& recipe_named(const std::string& name, const verify::RecipeSet& recipes);

}  // namespace sluice::ctl
