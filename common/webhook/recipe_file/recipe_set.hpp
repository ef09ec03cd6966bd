#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// A recipe file of the tree (common/webhook/recipes), embedded at build time: one recipe of the file's name.
struct BuiltinFile {
    std::string_view name;  ///< "stripe.yaml"
    std::string_view text;
};

[[nodiscard]] std::span<const BuiltinFile> builtin_files() noexcept;

/// The built-in recipes and those of `recipes:`, by name. A built-in one is read when it is first asked for,
/// by whichever thread; it lives as long as the program.
class RecipeSet {
public:
    /// Names are unique; a user's recipe cannot replace a built-in one. Problems go to the document's.
    static RecipeSet read(const config::Document& document);
    /// Only the built-in ones.
    static const RecipeSet& builtin();
    /// Those of one more `recipes:`.
    void add(const config::Value& recipes);

    [[nodiscard]] const Recipe* find(std::string_view name) const;
    /// Whether something of that name was there, though it was refused.
    [[nodiscard]] bool was_refused(std::string_view name) const noexcept;
    [[nodiscard]] std::vector<Recipe> all() const;
    [[nodiscard]] std::string names() const;  ///< for messages: "stripe, mine"

private:
    std::vector<Recipe> own_;
    std::vector<std::string> refused_;
};

}  // namespace sluice::webhook
