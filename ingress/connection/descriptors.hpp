#pragma once

#include <cstdint>

namespace sluice::connection {

/// What clients leave of a process's descriptors: for brokers, Redis, the operations port, files that are
/// read again.
inline constexpr std::uint64_t kept_descriptors = 256;

/// How many of the `wanted` connections may be open at once under a limit of `most` descriptors. Pure.
[[nodiscard]] int affordable_connections(int wanted, std::uint64_t most) noexcept;

/// Raises this process's own limit to `wanted` descriptors, as far as it may. The limit that it has then.
[[nodiscard]] std::uint64_t allow_descriptors(std::uint64_t wanted) noexcept;

}  // namespace sluice::connection
