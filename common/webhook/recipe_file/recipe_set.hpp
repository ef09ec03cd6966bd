#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "common/config/section.hpp"
#include "common/webhook/recipe/recipe.hpp"

namespace sluice::webhook {

/// A recipe file of the tree (common/webhook/recipes), embedded at build time.
struct BuiltinFile {
    std::string_view name;  ///< "stripe.yaml"
    std::string_view text;
};

[[nodiscard]] std::span<const BuiltinFile> builtin_files() noexcept;

/// The built-in recipes and those of `recipes:`, by name.
class RecipeSet {
public:
    /// Names are unique; a user's recipe cannot replace a built-in one. Problems go to the document's.
    static RecipeSet read(const config::Document& document);
    /// Only the built-in ones.
    static const RecipeSet& builtin();
    /// Those of one more `recipes:`.
    void add(const config::Value& recipes) { add_all(recipes, false); }

    [[nodiscard]] const Recipe* find(std::string_view name) const noexcept;
    /// Whether something of that name was there, though it was refused.
    [[nodiscard]] bool was_refused(std::string_view name) const noexcept;
    [[nodiscard]] std::span<const Recipe> all() const noexcept { return recipes_; }
    [[nodiscard]] std::string names() const;  ///< for messages: "stripe, mine"

private:
    static RecipeSet read_builtin();
    void add_all(const config::Value& list, bool is_builtin);

    std::vector<Recipe> recipes_;
    std::vector<std::string> refused_;
    std::size_t builtin_ = 0;
};

}  // namespace sluice::webhook
