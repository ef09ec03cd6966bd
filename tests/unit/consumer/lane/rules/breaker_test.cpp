#include "consumer/lane/rules/breaker.hpp"

#include <gtest/gtest.h>

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime start{1h};

Breaker opened_at(SteadyTime time) {
    Breaker breaker{3};
    for (int i = 0; i < 3; ++i) breaker.failed(time);
    return breaker;
}

TEST(Breaker, OpensAfterSoManyFailuresInARow) {
    Breaker breaker{3};
    breaker.failed(start);
    breaker.failed(start);
    breaker.succeeded();
    breaker.failed(start);
    breaker.failed(start);
    EXPECT_EQ(breaker.state(start), Breaker::State::closed);
    EXPECT_TRUE(breaker.admits(start));
    breaker.failed(start);
    EXPECT_EQ(breaker.state(start), Breaker::State::open);
    EXPECT_FALSE(breaker.admits(start));
    EXPECT_EQ(breaker.half_opens_at(start), start + 1s);
}

TEST(Breaker, HalfOpenAdmitsOneAtATime) {
    Breaker breaker = opened_at(start);
    EXPECT_FALSE(breaker.admits(start + 999ms));
    EXPECT_EQ(breaker.state(start + 1s), Breaker::State::half_open);
    EXPECT_TRUE(breaker.admits(start + 1s));
    EXPECT_FALSE(breaker.admits(start + 2s));
    EXPECT_EQ(breaker.half_opens_at(start + 2s), std::nullopt);
}

TEST(Breaker, AProbeThatSucceedsCloses) {
    Breaker breaker = opened_at(start);
    ASSERT_TRUE(breaker.admits(start + 1s));
    breaker.succeeded();
    EXPECT_EQ(breaker.state(start + 1s), Breaker::State::closed);
    EXPECT_TRUE(breaker.admits(start + 1s));
    EXPECT_TRUE(breaker.admits(start + 1s));
}

TEST(Breaker, AProbeThatFailsWaitsTwiceAsLongUpToABound) {
    Breaker breaker = opened_at(start);
    SteadyTime now = start;
    for (const Milliseconds wait : {1s, 2s, 4s, 8s, 16s, 30s, 30s}) {
        ASSERT_EQ(breaker.half_opens_at(now), now + wait);
        now += wait;
        ASSERT_TRUE(breaker.admits(now));
        breaker.failed(now);
    }
    breaker.succeeded();
    for (int i = 0; i < 3; ++i) breaker.failed(now);
    EXPECT_EQ(breaker.half_opens_at(now), now + 1s) << "the next outage starts anew";
}

TEST(Breaker, WhatWasUnderWayDoesNotProlongTheWait) {
    Breaker breaker = opened_at(start);
    for (int i = 0; i < 10; ++i) breaker.failed(start + 500ms);
    EXPECT_EQ(breaker.half_opens_at(start + 500ms), start + 1s);
}

TEST(Breaker, AProbeThatTellsNothingIsFollowedByAnother) {
    Breaker breaker = opened_at(start);
    ASSERT_TRUE(breaker.admits(start + 1s));
    breaker.probe_back();
    EXPECT_EQ(breaker.state(start + 1s), Breaker::State::half_open);
    ASSERT_TRUE(breaker.admits(start + 1s));
    EXPECT_FALSE(breaker.admits(start + 60s));
    EXPECT_TRUE(breaker.admits(start + 61s)) << "nobody has heard of the last one for a minute";
}

TEST(Breaker, NeverOpensWhenToldSo) {
    Breaker breaker{0};
    for (int i = 0; i < 10'000; ++i) breaker.failed(start);
    EXPECT_EQ(breaker.state(start), Breaker::State::closed);
}

}  // namespace
}  // namespace sluice::lane
