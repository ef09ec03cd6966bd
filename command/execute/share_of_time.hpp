#pragma once

#include <algorithm>
#include <chrono>

#include "common/clock.hpp"

namespace sluice::command {

/// How long statements may take that a command shares with others, so that it can still go alone afterwards:
/// half of what its caller waits for, but for callers who wait for little, or no longer.
[[nodiscard]] constexpr Milliseconds share_of_time(SteadyTime answer_by, SteadyTime now) {
    constexpr Milliseconds least{100};
    return std::max(std::chrono::ceil<Milliseconds>(answer_by - now) / 2, least);
}

}  // namespace sluice::command
