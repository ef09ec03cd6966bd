#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "common/clock.hpp"

namespace sluice::consumer {

/// How many events an object had within an hour, in memory that does not grow: 24 bytes for each of so many
/// objects. Where more are alive than it holds, those with the fewest events are forgotten first, so a count
/// can be too low, never too high. An hour is the last six times ten minutes, the current one included. Not
/// thread-safe.
class BurstWatch {
public:
    static constexpr std::chrono::minutes slot{10};
    static constexpr std::size_t slots = 6;
    static constexpr std::size_t ways = 8;  ///< places that an object may have

    /// `objects` is rounded up to whole sets of places. Above `most` events within an hour it is a burst.
    BurstWatch(std::size_t objects, unsigned most);

    /// An event of `object` came in at `at`. The number within the hour when that is a burst, once for each
    /// hour that it lasts.
    [[nodiscard]] std::optional<unsigned> saw(std::string_view object, WallTime at);

private:
    struct Place {
        std::uint64_t object = 0;  // its hash
        std::uint32_t newest = 0;  // number of the slot, since 1970; 0: free
        std::uint32_t told = 0;    // of the last burst that was reported
        std::array<std::uint8_t, slots> counts{};

        void advance_to(std::uint32_t now) noexcept;
        [[nodiscard]] unsigned total() const noexcept;
        [[nodiscard]] bool is_over(std::uint32_t now) const noexcept { return newest + slots <= now; }
    };
    [[nodiscard]] Place& place_of(std::uint64_t object, std::uint32_t now);

    std::size_t sets_;
    unsigned most_;
    std::vector<Place> places_;
};

}  // namespace sluice::consumer
