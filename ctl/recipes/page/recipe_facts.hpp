#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/webhook/recipe/recipe.hpp"

namespace sluice::ctl {

using RecipeFacts = std::vector<std::pair<std::string, std::string>>;

/// Parts of a page that the recipe says itself; names and texts in a fixed order.
[[nodiscard]] RecipeFacts signature_facts(const webhook::Recipe& recipe);
[[nodiscard]] RecipeFacts answer_facts(const webhook::Recipe& recipe);
[[nodiscard]] RecipeFacts event_facts(const webhook::Recipe& recipe);

}  // namespace sluice::ctl
