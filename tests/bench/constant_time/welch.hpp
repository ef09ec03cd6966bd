#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace sluice::bench {

/// How long one call took, and with which of two kinds of input.
struct Timing {
    std::uint64_t cycles;
    bool is_second;
};

/// Welch's t of two samples that may have different variances. Its sign says which kind took longer.
struct Verdict {
    double t = 0;  ///< over all
    double worst =
        0;  ///< of the largest amount, over all and over what is left below each of 100 percentiles
    double mean_cycles = 0;  ///< over all
};

/// As dudect does it (Reparaz, Balasch, Verbauwhede: "Dude, is my code constant time?", 2017): interruptions
/// make long tails in which small differences drown, so slow calls are left out by degrees. Sorts `timings`.
[[nodiscard]] Verdict judge(std::vector<Timing>& timings);

}  // namespace sluice::bench
