#pragma once

#include <cstddef>

#include "common/clock.hpp"

namespace sluice::publish {

/// Whether a record that joins a partition's queue now can be acknowledged in time. A batch takes
/// about as long as the last ones took, whatever its content; what is queued needs one batch after
/// another. While nothing is pending the answer is always yes, so that the next request tries a failed
/// partition again. Pure.
class DrainEstimate {
public:
    explicit DrainEstimate(std::size_t batch_bytes) : batch_bytes_{batch_bytes} {}

    void queued(std::size_t bytes, SteadyTime now) noexcept;
    /// A report for `bytes`; `all` when nothing that had left is outstanding any more.
    void settled(std::size_t bytes, bool all, SteadyTime now) noexcept;

    [[nodiscard]] bool in_time(std::size_t more, SteadyTime::duration within, SteadyTime now) const noexcept;
    [[nodiscard]] std::size_t pending() const noexcept { return pending_; }

private:
    std::size_t batch_bytes_;
    std::size_t pending_ = 0;
    SteadyTime batch_began_{};
    SteadyTime::duration batch_takes_{};  // moving average; zero: not known yet
};

}  // namespace sluice::publish
