#include "command/execute/deadlines.hpp"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace sluice::command {
namespace {

using namespace std::chrono_literals;

TEST(Deadlines, DoesWhatIsDueInTheOrderOfTheTimes) {
    const SystemClock clock;
    std::vector<int> done;
    std::promise<void> last;
    Deadlines deadlines{clock};
    const SteadyTime now = clock.steady();
    deadlines.at(now + 30ms, [&] {
        done.push_back(3);
        last.set_value();
    });
    deadlines.at(now + 20ms, [&] { done.push_back(2); });
    deadlines.at(now, [&] { done.push_back(1); });
    last.get_future().wait();
    EXPECT_EQ(done, (std::vector{1, 2, 3}));
}

TEST(Deadlines, WhatIsNotDueIsNotDone) {
    const SystemClock clock;
    bool is_done = false;
    {
        Deadlines deadlines{clock};
        deadlines.at(clock.steady() + 1h, [&] { is_done = true; });
    }
    EXPECT_FALSE(is_done);
}

}  // namespace
}  // namespace sluice::command
