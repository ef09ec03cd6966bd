#include <memory>

#include "ctl/cli/commands.hpp"
#include "ctl/cli/table.hpp"
#include "ctl/recipes/recipe_commands.hpp"
#include "ctl/recipes/recipe_text.hpp"

namespace sluice::ctl {
namespace {

void list_recipes(const CommonOptions& common, Console& console) {
    const webhook::RecipeSet recipes = read_recipes(common, console);
    Table table{{"RECIPE", "ALGORITHM", "EVENTS", "TRUST"}};
    Json rows = Json::array();
    for (const webhook::Recipe& recipe : recipes.all()) {
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
    print(console, common.chosen_form(), rows, table.text());
    console.exit = Exit::ok;
}

}  // namespace

webhook::RecipeSet read_recipes(const CommonOptions& common, Console& console) {
    config::Problems problems;
    webhook::RecipeSet recipes = common.config.empty()
                                     ? webhook::RecipeSet::builtin()
                                     : webhook::RecipeSet::read(open_config(common, problems));
    refuse_if_any(problems, console);
    return recipes;
}

const webhook::Recipe& recipe_named(const std::string& name, const webhook::RecipeSet& recipes) {
    if (const webhook::Recipe* const recipe = recipes.find(name)) return *recipe;
    throw Stopped{Exit::usage, "there is no recipe \"" + name + "\"; the recipes are: " + recipes.names()};
}

void add_recipes(CLI::App& program, Console& console) {
    const auto options = std::make_shared<CommonOptions>();
    CLI::App& command =
        *program.add_subcommand("recipes", "The recipes that sources can name, built in or your own");
    add_config_option(command, *options);
    add_output_options(command, *options);
    add_recipe_show(command, console);
    add_recipe_page(command, console);
    add_recipe_test(command, console);
    command.require_subcommand(0, 1);
    add_footer(command,
               "  sluicectl recipes\n"
               "  sluicectl recipes show adyen\n"
               "  sluicectl recipes page adyen\n"
               "  sluicectl recipes test acme.samples.yaml\n"
               "  sluicectl recipes --config sluice.yaml --json\n");
    command.callback([options, &command, &console] {
        if (command.get_subcommands().empty()) list_recipes(*options, console);
    });
}

}  // namespace sluice::ctl
