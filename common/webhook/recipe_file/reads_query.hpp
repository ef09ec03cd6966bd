#pragma once

#include <algorithm>

#include "common/webhook/recipe/program.hpp"

namespace sluice::webhook {

[[nodiscard]] inline bool stand_in_query(const Joined& facts) {
    return std::ranges::contains(facts, Fact::From::query, &Fact::from);
}

/// Whether the target's parameters say anything of a source's requests, or of their events.
[[nodiscard]] inline bool reads_query(const Program& program) {
    const Extraction& facts = program.extraction;
    return std::ranges::contains(program.inputs, Input::From::query, &Input::from) ||
           std::ranges::any_of(facts.id, stand_in_query) || std::ranges::any_of(facts.type, stand_in_query) ||
           std::ranges::any_of(facts.order_by, stand_in_query, &ObjectField::value);
}

}  // namespace sluice::webhook
