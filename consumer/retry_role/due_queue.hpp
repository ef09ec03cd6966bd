#pragma once

#include <map>
#include <optional>
#include <vector>

#include "common/clock.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// The records that are not due yet, one per partition: the first of it, since all delays of a topic are
/// equal. While a record is kept here its partition is paused. Pure; the poll thread's.
class DueQueue {
public:
    /// At most one record of a place is kept; a second one would have been polled from a paused partition,
    /// and the earlier due time of the two counts for both.
    void keep(Record record, SteadyTime until);

    struct Due {
        Place place;
        std::vector<Record> records;  ///< mostly one, in the order they came
    };
    /// Those whose time has come, the longest due first; their partitions are to be resumed.
    [[nodiscard]] std::vector<Due> take_due(SteadyTime now);

    /// When `take_due` will have something; nullopt: nothing is kept.
    [[nodiscard]] std::optional<SteadyTime> next() const;
    [[nodiscard]] bool is_kept(Place place) const { return kept_.contains(place); }
    [[nodiscard]] std::size_t size() const noexcept { return kept_.size(); }
    /// The partitions are not ours any more.
    void clear() noexcept { kept_.clear(); }

private:
    struct Kept {
        SteadyTime until;
        std::vector<Record> records;
    };
    std::map<Place, Kept> kept_;
};

/// How long a poll may wait: until the next record is due, rounded up so that the wait is not over before it,
/// and never longer than `most`.
[[nodiscard]] Milliseconds poll_wait(std::optional<SteadyTime> next_due, SteadyTime now, Milliseconds most);

/// When a record that names `due` is to be handed over: at the latest its tier's delay from now, for any
/// `due`, so that a wrong clock somewhere cannot hold a partition for ever.
[[nodiscard]] SteadyTime hold_until(WallTime due, Milliseconds delay, WallTime wall, SteadyTime steady);

}  // namespace sluice::consumer
