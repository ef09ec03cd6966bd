#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "common/crypto/digest.hpp"
#include "common/metering/rate.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::metering {

/// Who is limited, and to what.
struct Metered {
    crypto::Digest who;
    Rate rate;

    bool operator==(const Metered&) const = default;
};

/// What clients, callers or accounts have taken of their limits, in a table of fixed size: of 131,072 at
/// once, eight that share a place. A ninth takes the place of the one that is nearest to having made up for
/// what it took, which can then take its burst again too early (`forgotten` counts them), so it never refuses
/// what it should take. Of this process alone; the table (3 MiB) is made when something is taken.
/// Thread-safe.
class Meters {
public:
    explicit Meters(Counter& forgotten, std::size_t places = usual_places);

    /// Takes one of each, or, where one of them is spent, of none; then how long it is until all can be had.
    [[nodiscard]] std::optional<SteadyTime::duration> take(std::span<const Metered> all, SteadyTime now);
    /// Remembers it until then, as long as there is room. Of keys that nothing is taken of.
    void remember(const crypto::Digest& who, SteadyTime until, SteadyTime now);
    [[nodiscard]] bool remembers(const crypto::Digest& who, SteadyTime now);

    /// How long it is until one could be had, which is not taken; nullopt: now.
    [[nodiscard]] std::optional<SteadyTime::duration> wait(const Metered& one, SteadyTime now);

private:
    static constexpr std::size_t usual_places = 16'384;
    static constexpr std::size_t ways = 8;
    struct Entry {
        std::array<std::uint8_t, 16> who{};  // of the digest: two that agree in so much are one
        SteadyTime spent_until{};
    };
    using Place = std::array<Entry, ways>;

    [[nodiscard]] SteadyTime spent_until(const crypto::Digest& who) const;
    void put(const crypto::Digest& who, SteadyTime spent_until, SteadyTime now);
    [[nodiscard]] std::size_t place_of(const crypto::Digest& who) const;

    Counter& forgotten_;
    const std::size_t count_;
    std::mutex mutex_;
    std::vector<Place> places_;  // none, or `count_`
};

}  // namespace sluice::metering
