#include "common/webhook/recipe_file/recipe_set.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
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

/// Each file is one recipe of the same name.
std::string_view name_of(const BuiltinFile& file) {
    return file.name.substr(0, file.name.rfind('.'));
}

bool is_builtin(std::string_view name) {
    return std::ranges::contains(builtin_files(), name, &name_of);
}

Recipe read_builtin(const BuiltinFile& file) {
    config::Problems problems;
    std::optional<Recipe> recipe;
    {
        const auto document = config::Document::from_text(
            std::string(file.text), "built-in recipes/" + std::string(file.name), problems);
        const auto list = document.value("recipes");
        const auto items = list && list->is_list() ? list->items() : std::vector<config::Value>{};
        if (items.size() == 1) recipe = read_recipe(items.front(), "recipes[0]");
    }
    if (problems.any() || !recipe) throw config::Refused{problems.report()};
    return std::move(*recipe);
}

/// Those that were asked for: reading them all is nearly all that a start costs, and a file names one or two.
/// Kept, since they are part of the program and a reload asks again.
const Recipe* builtin_recipe(std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string_view, Recipe> read;
    const auto file = std::ranges::find(builtin_files(), name, &name_of);
    if (file == builtin_files().end()) return nullptr;
    const std::lock_guard lock{mutex};
    const auto found = read.find(name_of(*file));
    return found != read.end() ? &found->second
                               : &read.emplace(name_of(*file), read_builtin(*file)).first->second;
}

}  // namespace

const RecipeSet& RecipeSet::builtin() {
    static const RecipeSet set;
    return set;
}

RecipeSet RecipeSet::read(const config::Document& document) {
    RecipeSet set;
    if (const auto list = document.value("recipes")) set.add(*list);
    return set;
}

void RecipeSet::add(const config::Value& list) {
    if (!list.is_list()) return list.problem("recipes must be a list of mappings");
    const auto items = list.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto recipe = read_recipe(items[i], "recipes[" + std::to_string(i) + "]");
        if (!recipe) {
            refused_.push_back(name_in(items[i]));
        } else if (const bool hides_builtin = is_builtin(recipe->name);
                   hides_builtin || find(recipe->name) != nullptr) {
            items[i].problem("there is already a " + std::string(hides_builtin ? "built-in " : "") +
                             "recipe \"" + recipe->name + "\"");
        } else {
            own_.push_back(std::move(*recipe));
        }
    }
}

const Recipe* RecipeSet::find(std::string_view name) const {
    const auto found = std::ranges::find(own_, name, &Recipe::name);
    return found == own_.end() ? builtin_recipe(name) : &*found;
}

std::vector<Recipe> RecipeSet::all() const {
    std::vector<Recipe> all;
    for (const BuiltinFile& file : builtin_files()) all.push_back(*builtin_recipe(name_of(file)));
    all.insert(all.end(), own_.begin(), own_.end());
    return all;
}

bool RecipeSet::was_refused(std::string_view name) const noexcept {
    return std::ranges::contains(refused_, name);
}

std::string RecipeSet::names() const {
    std::string names;
    const auto add = [&](std::string_view name) { (names += names.empty() ? "" : ", ") += name; };
    for (const BuiltinFile& file : builtin_files()) add(name_of(file));
    for (const Recipe& recipe : own_) add(recipe.name);
    return names;
}

}  // namespace sluice::webhook
