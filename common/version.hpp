#pragma once

namespace sluice {

/// The release; CMakeLists.txt reads it from here.
inline constexpr const char* version = "0.1.0";

}  // namespace sluice
