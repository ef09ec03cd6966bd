#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sluice::bench {

using Clock = std::chrono::steady_clock;

/// What became of the requests: all of a run, and those answered inside the measured window.
struct Tally {
    std::uint64_t sent = 0;
    std::uint64_t broken = 0;          ///< connections that ended under a request
    std::uint64_t late = 0;            ///< open loop: had to wait for a free connection
    std::map<int, std::uint64_t> all;  ///< by status
    std::map<int, std::uint64_t> measured;
    std::vector<std::uint32_t> microseconds;  ///< of the measured ones, from when they were due

    void answered(int status, Clock::duration took, bool is_measured);
    [[nodiscard]] std::uint64_t measured_answers() const;
};

/// The window's figures. Throughput is answers by wall-clock seconds.
struct Window {
    double seconds = 0;
    std::int64_t processor = 0;                   ///< microseconds of the server's process
    std::map<std::string, std::int64_t> threads;  ///< microseconds
};

/// One JSON object. Sorts the latencies.
[[nodiscard]] std::string printed(Tally& tally, const Window& window);

}  // namespace sluice::bench
