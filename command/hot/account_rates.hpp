#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "common/clock.hpp"

namespace sluice::command {

/// Which accounts have many commands a second, with two bounds, so that none goes back and forth. Its table
/// has a fixed size: of more accounts than it has places it forgets those with the fewest commands, so a rate
/// may be read too low, and never too high. Rates are those of the last ten seconds. Pure; one thread's.
class AccountRates {
public:
    /// Commands a second: hot from `above` on, and until there are fewer than `back_below`.
    AccountRates(double above, double back_below);

    /// One more command of the account: whether it is hot now.
    [[nodiscard]] bool count(std::string_view account, SteadyTime now);
    /// How many accounts are hot.
    [[nodiscard]] std::size_t hot(SteadyTime now) const;

    static constexpr SteadyTime::duration window = std::chrono::seconds{10};
    static constexpr std::size_t places = 8192;

private:
    static constexpr std::size_t ways = 8;  // accounts whose hashes share a set

    struct Place {
        std::uint64_t account = 0;  // its hash; 0: the place is free
        std::int64_t in = 0;        // the number of the window that `now` counts in
        std::uint32_t now = 0;
        std::uint32_t before = 0;  // of the window before
        bool is_hot = false;
    };
    using Set = std::array<Place, ways>;

    static void turn(Place& place, std::int64_t to);
    static Place& place_of(Set& set, std::uint64_t account, std::int64_t at);
    [[nodiscard]] static double rate(const Place& place, SteadyTime now);
    [[nodiscard]] bool is_hot(const Place& place, SteadyTime now) const;

    double above_;
    double back_below_;
    std::vector<Set> sets_;
};

}  // namespace sluice::command
