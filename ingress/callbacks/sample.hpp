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

/// Who can cause a callback.
enum class Cause : std::uint8_t {
    provider,  ///< it was authentic; a copy of it may have been sent by anybody
    anybody,
};

/// Requests that were left out of the record, of one source and with one verdict.
struct LeftOut {
    std::string source;
    std::string verdict;
    std::uint64_t requests = 0;
};

/// Which requests are recorded one by one, and of which the request itself is kept. Within ten seconds, of
/// one source and verdict: of what anybody can send ten, and the first with its request; of what a provider
/// signed a thousand. What anybody sends is a hundred in all, and requests that are kept share a number of
/// bytes. Others are counted, so that nobody
/// fills a disk and no request goes unseen. Its size is bounded by sources and verdicts. Pure; one thread's.
class Sample {
public:
    static constexpr std::uint64_t most_of_anybody = 10;
    static constexpr std::uint64_t most_of_anybody_in_all = 100;  ///< sources and verdicts
    static constexpr std::uint64_t most_of_a_provider = 1'000;
    static constexpr std::size_t bytes_of_anybody = std::size_t{16} << 10;
    static constexpr std::size_t bytes_of_providers = std::size_t{4} << 20;
    static constexpr std::chrono::seconds window{10};

    /// Whether this one is recorded by itself. `verdict` is of a closed set.
    [[nodiscard]] bool takes(Cause cause, std::string_view source, std::string_view verdict);
    /// Whether there is room for so much of the request that was taken last.
    [[nodiscard]] bool keeps(Cause cause, std::size_t bytes);
    /// What was left out, once a window has ended; then the next one begins.
    [[nodiscard]] std::vector<LeftOut> ended(SteadyTime now);
    [[nodiscard]] std::vector<LeftOut> end();  ///< the same at once

private:
    struct Seen {
        std::uint64_t requests = 0;
        std::uint64_t taken = 0;
    };
    std::map<std::pair<std::string, std::string>, Seen, std::less<>> seen_;
    std::uint64_t taken_of_anybody_ = 0;
    std::uint64_t last_taken_ = 0;  // which of its source and verdict it was
    std::size_t kept_of_anybody_ = 0;
    std::size_t kept_of_providers_ = 0;
    SteadyTime ends_{};
};

}  // namespace sluice::callbacks
