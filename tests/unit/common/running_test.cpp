#include "common/running.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "common/wait_or_stop.hpp"

namespace sluice {
namespace {

template <class Result>
void wait_for_end(const Running<Result>& running) {
    while (!running.has_ended()) std::this_thread::yield();
}

TEST(Running, HasItsResultOnceItHasEnded) {
    const Running<int> running{"work", [](const std::stop_token&) { return 7; }};
    wait_for_end(running);
    EXPECT_FALSE(running.has_thrown());
    EXPECT_EQ(running.result(), 7);
}

TEST(Running, EndsWhenItIsAskedTo) {
    Running<bool> running{
        "work", [](const std::stop_token& stop) { return wait_or_stop(stop, std::chrono::hours{1}); }};
    EXPECT_FALSE(running.has_ended());
    running.ask_stop();
    wait_for_end(running);
    EXPECT_FALSE(running.result());
}

TEST(Running, GivesWhatWasThrownToWhoAsks) {
    const Running<int> running{"work", [](const std::stop_token&) -> int { throw std::runtime_error{"no"}; }};
    wait_for_end(running);
    EXPECT_TRUE(running.has_thrown());
    EXPECT_THROW((void)running.result(), std::runtime_error);
}

}  // namespace
}  // namespace sluice
