#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/clock.hpp"

namespace sluice::callbacks {

/// Requests that were left out of the record, of one source and with one verdict.
struct LeftOut {
    std::string source;
    std::string verdict;
    std::uint64_t requests = 0;
};

/// Which requests that anybody can send are recorded one by one: the first ten of a source and a verdict
/// within ten seconds. The others are counted, so that a forger fills no disk and no request goes unseen. Its
/// size is bounded by sources and verdicts. Pure; one thread's.
class Sample {
public:
    static constexpr unsigned recorded_of_each = 10;
    static constexpr std::chrono::seconds window{10};

    /// Whether this one is recorded by itself. `verdict` is of a closed set.
    [[nodiscard]] bool takes(std::string_view source, std::string_view verdict);
    /// What was left out, once a window has ended; then the next one begins.
    [[nodiscard]] std::vector<LeftOut> ended(SteadyTime now);
    [[nodiscard]] std::vector<LeftOut> end();  ///< the same at once

private:
    std::map<std::pair<std::string, std::string>, std::uint64_t, std::less<>> seen_;
    SteadyTime ends_{};
};

}  // namespace sluice::callbacks
