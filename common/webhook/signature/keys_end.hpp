#pragma once

#include <optional>

#include "common/clock.hpp"
#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

/// From then on nothing is authentic any more: the end of the key, or of the certificate in its folder, that
/// ends last. Nothing where one never ends, or where certificates come with the messages.
[[nodiscard]] std::optional<WallTime> keys_end(const Program& program);

}  // namespace sluice::webhook
