#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "consumer/offsets/partition_offsets.hpp"
#include "consumer/retry_role/place.hpp"

namespace sluice::consumer {

/// Which records of the retry role are finished. Only the contiguous prefix of a place is stored in Kafka,
/// and nothing is claimed in MySQL: the sweeper recreates a wakeup that a fail-over loses. A place gets a new
/// generation with each assignment; work of an older one is ignored. Thread-safe.
class RetryOffsets {
public:
    // Poll thread.
    void assign(Place place);
    void revoke_all();
    /// Tags a polled record with its place's generation; nullopt when the place is not ours. An offset below
    /// one already begun (the topic was recreated, its log truncated) starts a new generation there.
    [[nodiscard]] std::optional<std::uint64_t> begin(Place place, std::int64_t offset, WallTime due);
    /// Prefixes that are ahead of what was stored.
    struct Storable {
        Place place;
        std::uint64_t generation = 0;
        std::int64_t offset = 0;
    };
    [[nodiscard]] std::vector<Storable> storable() const;
    void stored(const Storable& what);

    // Workers.
    [[nodiscard]] bool is_current(const Touch& touch) const;
    void finish(const Touch& touch);
    [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }  ///< grows with assignments

    struct Lag {
        Place place;
        std::optional<WallTime> oldest_due;  ///< of the unfinished records; of one that waits it is ahead
        std::size_t unfinished = 0;
    };
    [[nodiscard]] std::vector<Lag> lags() const;

private:
    struct State {
        std::uint64_t generation;
        PartitionOffsets offsets{0};
        std::int64_t stored = 0;
    };
    State* current(Place place, std::uint64_t generation);
    const State* current(Place place, std::uint64_t generation) const;

    mutable std::mutex mutex_;
    std::map<Place, State> states_;
    std::uint64_t last_generation_ = 0;
    std::atomic<std::uint64_t> changes_ = 0;
};

}  // namespace sluice::consumer
