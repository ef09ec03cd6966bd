#pragma once

#include <cstddef>
#include <optional>
#include <queue>
#include <vector>

#include "common/clock.hpp"
#include "ctl/send/traffic/dice.hpp"
#include "ctl/send/traffic/plan.hpp"

namespace sluice::ctl {

/// One try of a delivery.
struct Attempt {
    Delivery delivery;
    std::size_t position = 0;  ///< in the whole plan
    int number = 1;
    SteadyTime due;
};

/// What one thread has to send: its part of the plan in order, and what is to be sent again. Pure.
class SendQueue {
public:
    void plan(Attempt attempt) { planned_.push_back(attempt); }  ///< in the order of `due`

    /// Takes out the attempt that is due first; repeats before planned ones of the same time.
    [[nodiscard]] std::optional<Attempt> next();
    void again(const Attempt& attempt) { repeats_.push(attempt); }

private:
    struct Later {
        bool operator()(const Attempt& a, const Attempt& b) const { return a.due > b.due; }
    };

    std::vector<Attempt> planned_;
    std::size_t taken_ = 0;
    std::priority_queue<Attempt, std::vector<Attempt>, Later> repeats_;
};

/// The thread that an object's deliveries go through: the same for the same object, so that its events
/// arrive in order although many are under way.
[[nodiscard]] std::size_t thread_for(std::string_view object, std::size_t threads) noexcept;

/// When a provider would try again after failure number `attempt`: doubling from a quarter of a second
/// up to 5 s, with jitter; nullopt when `most` attempts were made.
[[nodiscard]] std::optional<Milliseconds> retry_after(int attempt, int most, Dice& dice);

}  // namespace sluice::ctl
