#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "common/backoff.hpp"
#include "common/clock.hpp"
#include "consumer/record/record.hpp"

namespace sluice::consumer {

/// Records that a worker has taken and not settled, in the order of their turns. One that is put off goes
/// behind the others and waits: long enough not to spin on a lock, short against the time that a visit may
/// take. Pure but for the randomness; one worker's.
class WaitingRecords {
public:
    struct Waiting {
        Record record;
        SteadyTime not_before{};
        int times = 0;  ///< put behind the others
    };

    /// `is_held`: a record gets no turn now, whatever its time. `random` outlives it.
    explicit WaitingRecords(Random& random, std::function<bool(const Record&)> is_held = {});

    void add(Record record);
    void put_off(Waiting waiting, SteadyTime now);
    /// The first one that may have its turn.
    [[nodiscard]] std::optional<Waiting> take_next(SteadyTime now);
    void drop_if(const std::function<bool(const Record&)>& is_stale);

    [[nodiscard]] bool empty() const noexcept { return waiting_.empty(); }
    /// When `take_next` will have one; nullopt: not by time alone.
    [[nodiscard]] std::optional<SteadyTime> next_due() const;

private:
    Random& random_;
    std::function<bool(const Record&)> is_held_;
    std::deque<Waiting> waiting_;
};

}  // namespace sluice::consumer
