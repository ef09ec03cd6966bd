#include "ctl/send/traffic/send_queue.hpp"

#include <set>

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

SteadyTime after(int milliseconds) {
    return SteadyTime{} + Milliseconds{milliseconds};
}

Attempt attempt(std::size_t position, int due) {
    return {.delivery = {}, .position = position, .due = after(due)};
}

}  // namespace

TEST(SendQueue, GivesWhatIsDueFirst) {
    SendQueue queue;
    for (std::size_t i = 0; i < 3; ++i) queue.plan(attempt(i, static_cast<int>(i) * 100));
    queue.again(attempt(10, 150));
    queue.again(attempt(11, 50));
    std::vector<std::size_t> order;
    while (const auto next = queue.next()) order.push_back(next->position);
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 11, 1, 10, 2}));
}

TEST(SendQueue, WaitsForRepeatsWhenThePlanIsDone) {
    SendQueue queue;
    EXPECT_FALSE(queue.next());
    queue.again(attempt(1, 10));
    EXPECT_EQ(queue.next()->position, 1U);
    EXPECT_FALSE(queue.next());
}

TEST(SendQueue, AnObjectStaysWithItsThread) {
    std::set<std::size_t> threads;
    for (int i = 0; i < 200; ++i) {
        const std::string object = "pi_" + std::to_string(i);
        EXPECT_EQ(thread_for(object, 8), thread_for(object, 8));
        threads.insert(thread_for(object, 8));
    }
    EXPECT_EQ(threads.size(), 8U);
}

TEST(RetryAfter, DoublesUpToFiveSecondsAndEnds) {
    Dice dice{1};
    for (int i = 0; i < 100; ++i) {
        EXPECT_GE(retry_after(1, 10, dice)->count(), 125);
        EXPECT_LT(retry_after(1, 10, dice)->count(), 250);
        EXPECT_GE(retry_after(9, 10, dice)->count(), 2'500);
        EXPECT_LE(retry_after(900, 1000, dice)->count(), 5'000);
    }
    EXPECT_FALSE(retry_after(10, 10, dice));
    EXPECT_FALSE(retry_after(1, 1, dice));
}

}  // namespace sluice::ctl
