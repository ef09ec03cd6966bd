#pragma once

#include <CLI/CLI.hpp>

#include "common/webhook/recipe_file/recipe_set.hpp"
#include "ctl/cli/console.hpp"
#include "ctl/cli/options.hpp"

namespace sluice::ctl {

/// What stands under `sluicectl recipes`, as in commands.hpp: each in the file of its name.
void add_recipe_show(CLI::App& recipes, Console& console);
void add_recipe_page(CLI::App& recipes, Console& console);
void add_recipe_test(CLI::App& recipes, Console& console);

/// The built-in ones, and with a configuration also its own. Throws config::Refused.
[[nodiscard]] webhook::RecipeSet read_recipes(const CommonOptions& common, Console& console);
/// Throws Stopped(usage), naming those that there are.
[[nodiscard]] const webhook::Recipe& recipe_named(const std::string& name, const webhook::RecipeSet& recipes);

}  // namespace sluice::ctl
