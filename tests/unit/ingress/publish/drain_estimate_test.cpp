#include "ingress/publish/drain_estimate.hpp"

#include <gtest/gtest.h>

namespace sluice::publish {
namespace {

using namespace std::chrono_literals;

const SteadyTime start{std::chrono::hours{1}};
constexpr std::size_t batch = 1000;

TEST(DrainEstimate, EmptyQueueIsAlwaysInTime) {
    DrainEstimate estimate{batch};
    EXPECT_TRUE(estimate.in_time(1, 1ms, start));
    estimate.queued(10, true, start);
    estimate.settled(10, true, start + 30s);
    EXPECT_TRUE(estimate.in_time(1, 1ms, start + 30s)) << "the next request must try again";
}

TEST(DrainEstimate, StandstillIsNotInTime) {
    DrainEstimate estimate{batch};
    estimate.queued(10, true, start);
    EXPECT_TRUE(estimate.in_time(10, 4s, start + 3999ms));
    EXPECT_FALSE(estimate.in_time(10, 4s, start + 4s));
}

TEST(DrainEstimate, AnyAnswerEndsTheStandstill) {
    DrainEstimate estimate{batch};
    estimate.queued(10, true, start);
    estimate.queued(10, true, start + 1s);
    estimate.settled(10, true, start + 3s);
    EXPECT_TRUE(estimate.in_time(10, 4s, start + 6s));
}

TEST(DrainEstimate, RecordsThatOverlapForEverAreInTime) {
    DrainEstimate estimate{batch};
    estimate.queued(10, true, start);
    for (auto at = start + 10ms; at < start + 60s; at += 10ms) {
        ASSERT_TRUE(estimate.in_time(10, 4s, at));
        estimate.queued(10, true, at);
        estimate.settled(10, false, at + 5ms);
    }
    const auto last = start + 60s;
    estimate.settled(estimate.pending(), true, last);
    estimate.queued(10, true, last);
    EXPECT_TRUE(estimate.in_time(10, 100ms, last)) << "their minute is not what a batch takes";
    EXPECT_FALSE(estimate.in_time(10, 4s, last + 4s)) << "a standstill is one all the same";
}

TEST(DrainEstimate, CountsTheBatchesInFront) {
    DrainEstimate estimate{batch};
    estimate.queued(100, true, start);
    estimate.settled(100, true, start + 100ms);  // a batch takes 100 ms
    estimate.queued(5 * batch, true, start + 100ms);
    EXPECT_TRUE(estimate.in_time(batch, 800ms, start + 100ms));
    EXPECT_FALSE(estimate.in_time(batch, 700ms, start + 100ms));
}

}  // namespace
}  // namespace sluice::publish
