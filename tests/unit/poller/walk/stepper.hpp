#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poller/pace/budget.hpp"
#include "poller/pace/tries.hpp"
#include "poller/walk/walk.hpp"
#include "tests/unit/poller/walk/world.hpp"

namespace sluice::poller {

/// A poller, step by step: the product's rules, and the least of a program around them. It may die or stand
/// still after any step.
class Stepper {
public:
    Stepper(World& world, int number);

    [[nodiscard]] WallTime due() const { return due_; }
    void step();

private:
    enum class At : std::uint8_t { taking_lease, asking, answered, publishing, writing, resting };

    void take_lease();
    void ask();
    void read_answer();
    void meet_fault(Fault fault);
    void publish();
    void write();
    void rest();
    void ask_in(Milliseconds wait);
    void die(Milliseconds restart);
    void go(At at, Milliseconds in = Milliseconds{0});
    void count_request();
    [[nodiscard]] bool anchors() const;
    void take_the_newest();

    [[nodiscard]] WallTime own_time() const { return world_.now + world_.history().skew; }
    [[nodiscard]] WallTime provider_time() const { return own_time() + ahead_; }
    [[nodiscard]] SteadyTime steady() const;
    [[nodiscard]] WallTime asked_at() const;

    World& world_;
    int number_;
    int life_ = 0;
    WallTime due_;
    At at_ = At::taking_lease;
    // What dies with the process.
    Lease lease_;
    std::unique_ptr<Walk> walker_;
    Budget budget_{10, 10};
    Tries tries_{1};
    Random random_{1};
    WallTime::duration ahead_{};  // the provider's clock, as far as known
    WallTime limited_until_{};    // so long at least after a 429
    // A request under way.
    Ask ask_;
    bool was_gone_ = false;
    bool takes_newest_ = false;
    Answer answer_;
    WallTime own_sent_;
    std::vector<std::size_t> to_publish_;
    // The round.
    std::optional<WallTime> round_began_;
    std::size_t searched_ = 0;   // requests by time
    std::size_t read_ = 0;       // pages behind a place
    std::size_t most_read_ = 0;  // what they may be,
    std::size_t again_ = 0;      // and so many more: pages with an event that was not kept
};

}  // namespace sluice::poller
