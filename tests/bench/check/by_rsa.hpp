#pragma once

#include <string>

#include "tests/bench/check/pair.hpp"

namespace sluice::bench {

/// The first request of tests/vectors that is authentic under this recipe.
[[nodiscard]] Pair pair_by_rsa(const std::string& recipe);

}  // namespace sluice::bench
