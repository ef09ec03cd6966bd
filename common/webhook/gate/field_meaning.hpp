#pragma once

#include <expected>

#include "common/webhook/gate/head.hpp"

namespace sluice::gate {

/// Refuses a head whose fields two readers could understand differently, and what we do not do; reads the
/// expectation. Framing and keep-alive are Beast's: `second_opinion` where these rules would have the body
/// delimited in another way. Pure. Part of `read_head`.
[[nodiscard]] std::expected<void, Refusal> read_meaning(Head& head);

}  // namespace sluice::gate
