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
    estimate.queued(10, start);
    estimate.settled(10, true, start + 30s);
    EXPECT_TRUE(estimate.in_time(1, 1ms, start + 30s)) << "the next request must try again";
}

TEST(DrainEstimate, StandstillIsNotInTime) {
    DrainEstimate estimate{batch};
    estimate.queued(10, start);
    EXPECT_TRUE(estimate.in_time(10, 4s, start + 3999ms));
    EXPECT_FALSE(estimate.in_time(10, 4s, start + 4s));
}

TEST(DrainEstimate, AnyAnswerEndsTheStandstill) {
    DrainEstimate estimate{batch};
    estimate.queued(10, start);
    estimate.queued(10, start + 1s);
    estimate.settled(10, true, start + 3s);
    EXPECT_TRUE(estimate.in_time(10, 4s, start + 6s));
}

TEST(DrainEstimate, CountsTheBatchesInFront) {
    DrainEstimate estimate{batch};
    estimate.queued(100, start);
    estimate.settled(100, true, start + 100ms);  // a batch takes 100 ms
    estimate.queued(5 * batch, start + 100ms);
    EXPECT_TRUE(estimate.in_time(batch, 800ms, start + 100ms));
    EXPECT_FALSE(estimate.in_time(batch, 700ms, start + 100ms));
}

}  // namespace
}  // namespace sluice::publish
