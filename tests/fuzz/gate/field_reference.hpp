#pragma once

#include <expected>

#include "common/webhook/gate/head.hpp"

namespace sluice::fuzz {

/// Part of the reference: what the fields of a head mean, its framing, and what is refused of them.
[[nodiscard]] std::expected<void, gate::Refusal> read_fields_by_hand(gate::Head& head);

}  // namespace sluice::fuzz
