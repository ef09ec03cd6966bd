#pragma once

#include <optional>

#include "common/clock.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

/// When the last key, or the last certificate in the folder, expires: from then on nothing is authentic.
/// Nothing where one never expires, or where certificates come with the messages.
[[nodiscard]] std::optional<WallTime> keys_end(const Program& program);

}  // namespace sluice::webhook
