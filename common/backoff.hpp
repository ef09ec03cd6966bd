#pragma once

#include <chrono>
#include <random>

#include "common/clock.hpp"

namespace sluice {

/// Randomness is handed in; a worker owns one.
using Random = std::minstd_rand;

/// Delays that double from `first` to `most`, each with up to a quarter taken off at random, so that
/// those who failed together do not come back together. Pure but for `random`.
struct Backoff {
    Milliseconds first{50};
    Milliseconds most{5000};

    /// `failures` counts from 1.
    [[nodiscard]] Milliseconds after(int failures, Random& random) const {
        auto delay = first;
        for (int i = 1; i < failures && delay < most; ++i) delay *= 2;
        if (delay > most) delay = most;
        const auto cut = std::uniform_int_distribution<Milliseconds::rep>{0, delay.count() / 4}(random);
        return delay - Milliseconds{cut};
    }
};

}  // namespace sluice
