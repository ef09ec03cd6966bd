#pragma once

#include <expected>

#include "common/webhook/gate/head.hpp"

namespace sluice::gate {

/// Reads framing, keep-alive and expectation from the fields of a head whose bytes are valid, and
/// refuses what two readers could understand differently. Pure. Part of `read_head`.
[[nodiscard]] std::expected<void, Refusal> read_meaning(Head& head);

}  // namespace sluice::gate
