#pragma once

#include <cstddef>

namespace sluice::webhook::test {

/// How often this thread has called operator new. OpenSSL has an allocator of its own.
[[nodiscard]] std::size_t allocations() noexcept;

}  // namespace sluice::webhook::test
