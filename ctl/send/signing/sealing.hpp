#pragma once

#include <string_view>

#include "common/webhook/recipe/program.hpp"
#include "ctl/cli/json.hpp"

namespace sluice::ctl {

/// Encrypts what a recipe says is encrypted: the member "plain" of the object that holds the ciphertext
/// becomes that ciphertext, sealed with the source's key for it and the nonce that stands beside it. Nothing
/// happens where the recipe has no such rule, or the body no such member. Throws std::runtime_error when
/// OpenSSL refuses.
void seal(const webhook::Program& program, Json& body);

}  // namespace sluice::ctl
