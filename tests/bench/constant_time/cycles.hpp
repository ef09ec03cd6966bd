#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#else
#include <chrono>
#endif

namespace sluice::bench {

#if defined(__x86_64__)
/// The time stamp counter, with nothing of the measured code moved out of the measure.
inline std::uint64_t cycles_before() {
    _mm_lfence();
    const std::uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
}
inline std::uint64_t cycles_after() {
    unsigned core = 0;
    const std::uint64_t now = __rdtscp(&core);
    _mm_lfence();
    return now;
}
#else
inline std::uint64_t cycles_before() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}
inline std::uint64_t cycles_after() {
    return cycles_before();
}
#endif

}  // namespace sluice::bench
