#pragma once

#include <memory>
#include <vector>

#include "tests/fuzz/engine/message.hpp"
#include "tests/fuzz/engine/party.hpp"

namespace sluice::fuzz {

/// Every built-in recipe with every source that the signed requests (tests/vectors) have for it, in the order
/// in which they come there.
struct Recipes {
    std::vector<std::vector<std::unique_ptr<Party>>> parties;
    Places places;  ///< of all their headers
};

[[nodiscard]] Recipes read_recipes();

}  // namespace sluice::fuzz
