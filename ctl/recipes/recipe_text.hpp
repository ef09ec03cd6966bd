#pragma once

#include <string>
#include <utility>
#include <vector>

#include "common/webhook/recipe/recipe.hpp"

namespace sluice::ctl {

/// A recipe in words: what is signed with what, where it sits, what is read and answered. Lines of a name
/// and a text, in a fixed order.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> explain(const webhook::Recipe& recipe);

/// "HMAC-SHA256", "Ed25519"; several with "or".
[[nodiscard]] std::string algorithms_of(const webhook::Recipe& recipe);
/// What the signature covers: timestamp + "." + body.
[[nodiscard]] std::string signed_text_of(const webhook::Recipe& recipe);

}  // namespace sluice::ctl
