#pragma once

#include <cstddef>

#include "common/clock.hpp"

namespace sluice::publish {

/// Whether a record that joins a partition's queue now can be acknowledged in time. A batch takes
/// about as long as the last ones took, whatever its content; what is queued needs one batch after
/// another. Records that leave one by one and overlap for ever are in time as long as reports come. While
/// nothing is pending the answer is always yes, so that the next request tries a failed partition again.
/// Pure.
class DrainEstimate {
public:
    explicit DrainEstimate(std::size_t batch_bytes) : batch_bytes_{batch_bytes} {}

    /// `leaves`: now, alone. Otherwise it is gathered for the next batch.
    void queued(std::size_t bytes, bool leaves, SteadyTime now) noexcept;
    /// A report for `bytes`; `all` when nothing that had left is outstanding any more.
    void settled(std::size_t bytes, bool all, SteadyTime now) noexcept;

    [[nodiscard]] bool in_time(std::size_t more, SteadyTime::duration within, SteadyTime now) const noexcept;
    [[nodiscard]] std::size_t pending() const noexcept { return pending_; }

private:
    std::size_t batch_bytes_;
    std::size_t pending_ = 0;
    SteadyTime waits_since_{};            // for the next report
    SteadyTime batch_left_{};             // or the last record that left alone
    SteadyTime::duration batch_takes_{};  // moving average; zero: not known yet
};

}  // namespace sluice::publish
