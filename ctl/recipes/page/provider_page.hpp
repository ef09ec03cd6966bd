#pragma once

#include <optional>
#include <span>
#include <string>

#include "common/webhook/recipe/recipe.hpp"
#include "ctl/recipes/page/provider_text.hpp"

namespace sluice::ctl {

/// A recipe's page in markdown: what the recipe says of itself, and what was written by hand beside it
/// (nullptr: a recipe of one's own, which has no such text).
[[nodiscard]] std::string provider_page(const webhook::Recipe& recipe, const ProviderText* text);

/// The table that leads to all pages; a page is <recipe>.md beside it.
[[nodiscard]] std::string provider_index(std::span<const webhook::Recipe> recipes);

/// The text of a built-in recipe, parsed; nothing for others. Throws std::logic_error when it is none.
[[nodiscard]] std::optional<ProviderText> text_of_recipe(std::string_view recipe);

}  // namespace sluice::ctl
