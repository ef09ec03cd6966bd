#include "common/webhook/recipe_file/recipe_set.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

/// The name as it stands, to say later that the recipe was there.
std::string name_in(const config::Value& recipe) {
    for (const auto& [key, value] : recipe.entries()) {
        if (key.scalar() == "name") return value.scalar();
    }
    return {};
}

}  // namespace

RecipeSet RecipeSet::read_builtin() {
    RecipeSet set;
    config::Problems problems;
    for (const BuiltinFile& file : builtin_files()) {
        const std::string name = "built-in recipes/" + std::string(file.name);
        const auto document = config::Document::from_text(std::string(file.text), name, problems);
        if (const auto list = document.value("recipes")) set.add_all(*list, true);
    }
    if (problems.any()) throw config::Refused{problems.report()};
    set.builtin_ = set.recipes_.size();
    return set;
}

const RecipeSet& RecipeSet::builtin() {
    // Once: they are part of the program, and reading them is nearly all that a reload costs.
    static const RecipeSet set = read_builtin();
    return set;
}

RecipeSet RecipeSet::read(const config::Document& document) {
    RecipeSet set = builtin();
    if (const auto list = document.value("recipes")) set.add(*list);
    return set;
}

void RecipeSet::add_all(const config::Value& list, bool is_builtin) {
    if (!list.is_list()) return list.problem("recipes must be a list of mappings");
    const auto items = list.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto recipe = read_recipe(items[i], "recipes[" + std::to_string(i) + "]");
        if (!recipe) {
            refused_.push_back(name_in(items[i]));
        } else if (const Recipe* known = find(recipe->name); known != nullptr) {
            const bool hides_builtin = !is_builtin && std::cmp_less(known - recipes_.data(), builtin_);
            items[i].problem("there is already a " + std::string(hides_builtin ? "built-in " : "") +
                             "recipe \"" + recipe->name + "\"");
        } else {
            recipes_.push_back(std::move(*recipe));
        }
    }
}

const Recipe* RecipeSet::find(std::string_view name) const noexcept {
    const auto found = std::ranges::find(recipes_, name, &Recipe::name);
    return found == recipes_.end() ? nullptr : &*found;
}

bool RecipeSet::was_refused(std::string_view name) const noexcept {
    return std::ranges::contains(refused_, name);
}

std::string RecipeSet::names() const {
    std::string names;
    for (const Recipe& recipe : recipes_) names += (names.empty() ? "" : ", ") + recipe.name;
    return names;
}

}  // namespace sluice::webhook
