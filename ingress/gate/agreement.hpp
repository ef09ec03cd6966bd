#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "ingress/gate/head.hpp"

namespace sluice::gate {

/// Beast's opinion of bytes that the gate has let through: two parsers that were written apart must
/// read the same thing. One per io_context; not thread-safe; does not touch the heap for a usual head.
class SecondOpinion {
public:
    /// Whether Beast accepts `bytes` (the whole head) and agrees on method, target, number of fields,
    /// framing and keep-alive.
    [[nodiscard]] bool agrees(std::string_view bytes, const Head& head);

private:
    std::array<std::byte, 64 * 1024> memory_;
};

}  // namespace sluice::gate
