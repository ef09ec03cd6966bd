#pragma once

#include <chrono>

#include "common/clock.hpp"

namespace sluice::dedup {

/// Stops asking a Redis that does not answer: a claim that will time out costs every event its whole
/// budget. Opens after three failures in a row; then lets one attempt through per second. Pure, one thread.
class Breaker {
public:
    static constexpr int failures_to_open = 3;
    static constexpr std::chrono::seconds probe_every{1};

    /// Whether to ask now. While open, a true answer is the probe of this second.
    [[nodiscard]] bool allows(SteadyTime now);
    void succeeded() noexcept;
    void failed(SteadyTime now) noexcept;

    [[nodiscard]] bool is_open() const noexcept { return failures_ >= failures_to_open; }

private:
    int failures_ = 0;
    SteadyTime next_probe_{};
};

}  // namespace sluice::dedup
