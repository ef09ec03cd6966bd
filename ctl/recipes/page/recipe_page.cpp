#include <filesystem>
#include <fstream>
#include <memory>

#include "ctl/recipes/page/provider_page.hpp"
#include "ctl/recipes/recipe_commands.hpp"

namespace sluice::ctl {
namespace {

struct PageOptions {
    CommonOptions common;
    std::string name;
    std::string folder;
};

std::string page_of(const webhook::Recipe& recipe) {
    const auto text = text_of_recipe(recipe.name);
    return provider_page(recipe, text ? &*text : nullptr);
}

void write_page(const std::filesystem::path& path, const std::string& page) {
    std::ofstream file{path, std::ios::binary};
    file << page << std::flush;
    if (!file) throw Stopped{Exit::no, "cannot write " + path.string()};
}

void write_pages(const std::filesystem::path& folder, const webhook::RecipeSet& recipes) {
    for (const webhook::Recipe& recipe : recipes.all())
        write_page(folder / (recipe.name + ".md"), page_of(recipe));
    write_page(folder / "README.md", provider_index(recipes.all()));
}

void make_pages(const PageOptions& options, Console& console) {
    if (options.name.empty() == options.folder.empty())
        throw Stopped{Exit::usage, "name one recipe, or give --all a folder for the pages of all recipes"};
    const webhook::RecipeSet recipes = read_recipes(options.common, console);
    if (options.folder.empty()) console.out << page_of(recipe_named(options.name, recipes));
    if (!options.folder.empty()) write_pages(options.folder, recipes);
    console.exit = Exit::ok;
}

}  // namespace

void add_recipe_page(CLI::App& recipes, Console& console) {
    const auto options = std::make_shared<PageOptions>();
    CLI::App& command = *recipes.add_subcommand(
        "page", "A Markdown page: what to set up, what is signed and answered, how duplicates are found");
    command.add_option("name", options->name, "Name of the recipe")->type_name("NAME");
    command
        .add_option("--all", options->folder,
                    "Write the pages of all recipes, and their table, to this folder")
        ->type_name("FOLDER");
    add_config_option(command, options->common);
    add_footer(command,
               "  sluicectl recipes page gocardless\n"
               "  sluicectl recipes page --all docs/providers\n");
    command.callback([options, &console] { make_pages(*options, console); });
}

}  // namespace sluice::ctl
