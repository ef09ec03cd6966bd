#pragma once

#include <chrono>
#include <functional>

#include <boost/intrusive/list.hpp>

#include "common/clock.hpp"

namespace sluice::connection {

class Deadlines;

/// One thing that must not last too long; reused for phase after phase. Bound to the thread of
/// its Deadlines.
class Deadline
    : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    /// `again`: it was called before, and nothing has been set or cleared since.
    using OnPassed = std::function<void(bool again)>;

    /// `on_passed` is called from each sweep after the time, until `set` or `clear`: what it does may come at
    /// a moment when it has no effect. It may destroy neither this nor another Deadline.
    Deadline(Deadlines& deadlines, OnPassed on_passed)
        : deadlines_{deadlines}, on_passed_{std::move(on_passed)} {}

    void set(SteadyTime at);
    void clear() noexcept;
    /// Whether the last one that was set has passed; until the next `set` or `clear`.
    [[nodiscard]] bool passed() const noexcept { return passed_; }

private:
    friend class Deadlines;
    Deadlines& deadlines_;
    OnPassed on_passed_;
    SteadyTime at_{};
    bool passed_ = false;
};

/// All deadlines of one io_context, looked through by one coarse timer (a timer per read costs a
/// system call each). One thread.
class Deadlines {
public:
    static constexpr std::chrono::milliseconds tick{50};  ///< how late a deadline may be noticed

    /// Calls everything that is due.
    void sweep(SteadyTime now);
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

private:
    friend class Deadline;
    boost::intrusive::list<Deadline, boost::intrusive::constant_time_size<false>> all_;
};

}  // namespace sluice::connection
