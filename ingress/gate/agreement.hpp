#pragma once

#include <string_view>

#include "common/webhook/gate/head.hpp"

namespace sluice::gate {

/// The second opinion on a head that the gate has let through: whether Beast accepts `bytes` (the whole head)
/// and agrees on method, target, version, every field, framing and keep-alive. Two parsers that were written
/// apart must read the same thing. Pure; does not touch the heap.
[[nodiscard]] bool beast_agrees(std::string_view bytes, const Head& head);

}  // namespace sluice::gate
