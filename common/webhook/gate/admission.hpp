#pragma once

#include <cstddef>
#include <expected>

#include "common/webhook/gate/head.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::gate {

/// Whether this head may send its body to `source` (null: no source has its path): path, method, no
/// look-alike of a header that the signature depends on and only ASCII in such a header, a length,
/// chunked only where the source allows it, the size before any byte of the body is read. Pure.
[[nodiscard]] std::expected<void, Refusal> admit(const Head& head, const webhook::Source* source);

/// Most bytes that a chunked body of the source may take on the wire.
[[nodiscard]] std::size_t max_wire_bytes(const webhook::Source& source) noexcept;

}  // namespace sluice::gate
