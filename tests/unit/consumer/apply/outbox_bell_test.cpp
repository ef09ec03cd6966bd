#include "consumer/apply/outbox_bell.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

// Each of these hangs for an hour where the bell is not heard.

TEST(OutboxBell, WakesWhoWaits) {
    OutboxBell bell;
    const auto seen = bell.rings();
    const std::jthread ringer{[&] { bell.ring(); }};
    bell.wait({}, seen, 0ms, 1h);
    EXPECT_EQ(bell.rings(), seen + 1);
}

TEST(OutboxBell, IsHeardByWhoLookedBeforeItRang) {
    OutboxBell bell;
    const auto seen = bell.rings();
    bell.ring();
    bell.wait({}, seen, 0ms, 1h);
}

TEST(OutboxBell, EndsTheWaitAtAStop) {
    OutboxBell bell;
    std::stop_source stop;
    stop.request_stop();
    bell.wait(stop.get_token(), bell.rings(), 1h, 2h);
}

TEST(OutboxBell, IsNotNeeded) {
    OutboxBell bell;
    bell.wait({}, bell.rings(), 0ms, 1ms);
}

}  // namespace
}  // namespace sluice::consumer
