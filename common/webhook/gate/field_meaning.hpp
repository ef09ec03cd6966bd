#pragma once

#include <expected>

#include "common/webhook/gate/head.hpp"

namespace sluice::gate {

/// Reads framing, keep-alive and expectation out of the fields of a head whose bytes are valid, and
/// refuses what two readers could take for two different things. Pure. Part of `read_head`.
[[nodiscard]] std::expected<void, Refusal> read_meaning(Head& head);

}  // namespace sluice::gate
