#include <format>
#include <memory>

#include "ctl/recipes/payment_text.hpp"
#include "ctl/recipes/recipe_commands.hpp"
#include "ctl/recipes/recipe_text.hpp"

namespace sluice::ctl {
namespace {

struct ShowOptions {
    CommonOptions common;
    std::string name;
};

void show_recipe(const ShowOptions& options, Console& console) {
    const webhook::RecipeSet recipes = read_recipes(options.common, console);
    const webhook::Recipe& recipe = recipe_named(options.name, recipes);
    Json said = Json::object();
    std::string text = recipe.name + "\n";
    for (const auto& [name, value] : explain(recipe)) {
        said[name] = value;
        text += std::format("  {:<11} {}\n", name, value);
    }
    Json payments = Json::array();
    for (const PaymentText& one : payments_of(recipe)) {
        payments.push_back({{"kind", one.kind}, {"when", one.when}, {"facts", one.facts}});
        text += std::format("  {:<11} {}\n{:14}if {}\n", "payment", one.kind, "", one.when);
        if (!one.facts.empty()) text += std::format("{:14}{}\n", "", one.facts);
    }
    said["payments"] = std::move(payments);
    print(console, options.common.chosen_form(), said, text);
    console.exit = Exit::ok;
}

}  // namespace

void add_recipe_show(CLI::App& recipes, Console& console) {
    const auto options = std::make_shared<ShowOptions>();
    CLI::App& command = *recipes.add_subcommand(
        "show",
        "One recipe in words: what is signed, read and answered, and what its events say of payments");
    command.add_option("name", options->name, "Name of the recipe")->required()->type_name("NAME");
    add_config_option(command, options->common);
    add_output_options(command, options->common);
    add_footer(command,
               "  sluicectl recipes show adyen\n"
               "  sluicectl recipes show acme --config sluice.yaml --json\n");
    command.callback([options, &console] { show_recipe(*options, console); });
}

}  // namespace sluice::ctl
