#pragma once

#include <string>

#include "tests/bench/check/pair.hpp"

namespace sluice::bench {

/// A request of 2 KB and eight headers, as this recipe's provider signs it.
[[nodiscard]] Pair pair_by_hmac(const std::string& recipe);

}  // namespace sluice::bench
