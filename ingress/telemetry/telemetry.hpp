#pragma once

namespace sluice::ingress {

/// False only in the build that `./run bench telemetry` compares with: nothing is counted or logged there.
#ifdef SLUICE_WITHOUT_TELEMETRY
inline constexpr bool has_telemetry = false;
#else
inline constexpr bool has_telemetry = true;
#endif

}  // namespace sluice::ingress
