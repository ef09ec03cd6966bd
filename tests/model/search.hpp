#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/model/rules.hpp"
#include "tests/model/world.hpp"

namespace sluice::model {

/// A history that breaks a promise, shortest first.
struct Counterexample {
    std::string promise;             ///< what was broken
    std::vector<std::string> steps;  ///< one line each
};

struct Findings {
    std::size_t states = 0;
    bool complete = false;  ///< every state within the world's budget was looked at
    std::optional<Counterexample> counterexample;
};

/// Breadth first from the start until a promise is broken, or to the end: no event's effects twice or out of
/// order, no command twice, and from every state everything can be settled without further trouble and
/// without an operator.
[[nodiscard]] Findings search(const World& world, Without without = {});

[[nodiscard]] std::string to_text(const Counterexample& counterexample);

}  // namespace sluice::model
