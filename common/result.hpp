#pragma once

#include <expected>
#include <system_error>

namespace sluice {

/// The value, or what happened. Every function that returns one is [[nodiscard]].
template <class T>
using Result = std::expected<T, std::error_code>;

using Failure = std::unexpected<std::error_code>;

}  // namespace sluice
