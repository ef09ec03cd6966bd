#include <format>
#include <memory>

#include "ctl/commands.hpp"
#include "ctl/exit.hpp"
#include "ctl/options.hpp"
#include "ctl/recipe_text.hpp"
#include "ctl/table.hpp"
#include "ingress/verify/recipe_set.hpp"

namespace sluice::ctl {
namespace {

using verify::Recipe;

struct RecipesOptions {
    CommonOptions common;
    std::string name;
};

/// The built-in ones, and with a configuration those of its own.
verify::RecipeSet read_recipes(const CommonOptions& common, Console& console) {
    config::Problems problems;
    verify::RecipeSet recipes = common.config.empty()
                                    ? verify::RecipeSet::builtin(problems)
                                    : verify::RecipeSet::read(open_config(common, problems), problems);
    refuse_if_any(problems, console);
    return recipes;
}

void list_recipes(const RecipesOptions& options, Console& console) {
    const verify::RecipeSet recipes = read_recipes(options.common, console);
    Table table{{"RECIPE", "ALGORITHM", "EVENTS", "TRUST"}};
    Json rows = Json::array();
    for (const Recipe& recipe : recipes.all()) {
        const std::string trust{name_of(recipe.trust)};
        const std::string events = recipe.extraction.items ? "several" : "one";
        table.row({recipe.name, algorithms_of(recipe), events, trust});
        rows.push_back({{"recipe", recipe.name},
                        {"provider", recipe.provider},
                        {"algorithm", algorithms_of(recipe)},
                        {"signed", signed_text_of(recipe)},
                        {"events", events},
                        {"trust", trust}});
    }
    print(console, options.common.chosen_form(), rows, table.text());
}

void show_recipe(const RecipesOptions& options, Console& console) {
    const verify::RecipeSet recipes = read_recipes(options.common, console);
    const Recipe* recipe = recipes.find(options.name);
    if (recipe == nullptr)
        throw Stopped{Exit::usage,
                      "there is no recipe \"" + options.name + "\"; there are: " + recipes.names()};
    Json said = Json::object();
    std::string text = recipe->name + "\n";
    for (const auto& [name, value] : explain(*recipe)) {
        said[name] = value;
        text += std::format("  {:<11} {}\n", name, value);
    }
    print(console, options.common.chosen_form(), said, text);
}

}  // namespace

void add_recipes(CLI::App& program, Console& console) {
    const auto options = std::make_shared<RecipesOptions>();
    CLI::App& command = *program.add_subcommand(
        "recipes", "The signature schemes that sources can name, built in or of your own");
    add_config_option(command, options->common);
    add_output_options(command, options->common);
    CLI::App& show =
        *command.add_subcommand("show", "One of them in words: what is signed, read and answered");
    show.add_option("name", options->name, "Name of the recipe")->required()->type_name("NAME");
    add_config_option(show, options->common);
    add_output_options(show, options->common);
    command.require_subcommand(0, 1);
    add_footer(command,
               "  sluicectl recipes\n"
               "  sluicectl recipes show adyen\n"
               "  sluicectl recipes --config sluice.yaml --json\n");
    command.callback([options, &show, &console] {
        show.parsed() ? show_recipe(*options, console) : list_recipes(*options, console);
        console.exit = Exit::ok;
    });
}

}  // namespace sluice::ctl
