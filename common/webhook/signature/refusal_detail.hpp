#pragma once

#include <string>

#include "common/webhook/recipe/program.hpp"
#include "common/webhook/signature/signed_inputs.hpp"

namespace sluice::webhook {

/// What was found and what would have been right, for people: "412 s old, at most 300 s are
/// allowed". Never a value from the request, never what was expected.
[[nodiscard]] std::string detail_of(const Finding& finding, const Program& program);

}  // namespace sluice::webhook
