#include "common/webhook/recipe_file/read_recipe.hpp"

#include <algorithm>

#include "common/webhook/recipe_file/names.hpp"
#include "common/webhook/recipe_file/recipe_safety.hpp"

namespace sluice::webhook {

namespace {

void read_name(config::Section& section, Recipe& recipe) {
    recipe.name = section.required_text("name");
    if (!recipe.name.empty() && !is_name(recipe.name)) {
        section.problem_at("name", "a recipe's name must have 1 to 63 characters of a-z, 0-9 and -");
    }
    recipe.provider = section.text("provider", recipe.name);
    if (!recipe.provider.empty() && !is_name(recipe.provider)) {
        section.problem_at("provider", "a provider's name must have 1 to 63 characters of a-z, 0-9 and -");
    }
}

}  // namespace

std::string required_choice(config::Section& section, std::string_view key,
                            std::initializer_list<std::string_view> allowed) {
    std::string text = section.required_text(key);
    if (text.empty() || std::ranges::contains(allowed, std::string_view(text))) return text;
    std::string sentence = "\"" + text + "\" is not supported for " + std::string(key) + ":";
    for (const std::string_view one : allowed) sentence += " " + std::string(one);
    section.problem_at(key, sentence);
    return std::string(*allowed.begin());
}

std::optional<Recipe> read_recipe(const config::Value& value, const std::string& path) {
    const config::Problems& problems = value.problems();
    const std::size_t before = problems.count();
    Recipe recipe;
    recipe.place = value.place();
    {
        config::Section section(value, path);
        read_name(section, recipe);
        read_scheme(section, recipe);
        read_body(section, recipe.body);
        read_extraction(section, recipe);
        read_answers(section, recipe);
    }  // reports unknown keys
    if (problems.count() != before) return std::nullopt;
    check_safety(recipe, value.problems());
    if (problems.count() != before) return std::nullopt;
    return recipe;
}

}  // namespace sluice::webhook
