#pragma once

#include <span>
#include <string>

namespace sluice::crypto {

/// `bytes` bytes of RAND_bytes as lower-case hex. Throws std::runtime_error when the system has none.
[[nodiscard]] std::string random_hex(std::size_t bytes);
/// The same into `text`, whose size is even and at most 64.
void write_random_hex(std::span<char> text);

}  // namespace sluice::crypto
