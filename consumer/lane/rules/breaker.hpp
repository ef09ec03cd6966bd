#pragma once

#include <optional>
#include <string_view>

#include "common/clock.hpp"

/// When a process has to stop because nothing that it runs succeeds. Pure; budget.hpp says what it is for.
namespace sluice::lane {

class Breaker {
public:
    enum class State {
        closed,     ///< events are run
        half_open,  ///< one event at a time is run, to see
        open,       ///< none is, until a wait is over
    };

    /// Opens after `failures` in a row; 0: never.
    explicit Breaker(int failures) noexcept : failures_{failures} {}

    /// Closes.
    void succeeded() noexcept;
    /// Opens when it is the last straw, or when it was a probe; each wait is twice the one before.
    void failed(SteadyTime now) noexcept;
    /// The probe ended without a result: the next event is one.
    void probe_back() noexcept { probe_until_.reset(); }

    /// Whether an event may be run now. Half open, the event is the probe; one without a result for a minute
    /// is given up, and the next event is one.
    [[nodiscard]] bool admits(SteadyTime now) noexcept;
    [[nodiscard]] State state(SteadyTime now) const noexcept;
    /// The end of the wait; nullopt unless open.
    [[nodiscard]] std::optional<SteadyTime> half_opens_at(SteadyTime now) const noexcept;

private:
    void open(SteadyTime now) noexcept;

    int failures_;
    int in_a_row_ = 0;
    Milliseconds wait_{0};                   // the last one; zero: closed
    SteadyTime open_until_{};                // unless closed
    std::optional<SteadyTime> probe_until_;  // a probe is under way
};

[[nodiscard]] std::string_view name_of(Breaker::State state) noexcept;

}  // namespace sluice::lane
