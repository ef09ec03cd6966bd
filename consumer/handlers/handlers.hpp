#pragma once

#include <span>

#include "consumer/effects/handler/handler.hpp"

namespace sluice::handlers {

/// All handlers of this build, by which `handler:` of an effect names one. They live as long as the program.
[[nodiscard]] std::span<const effects::Handler> registered();

}  // namespace sluice::handlers
