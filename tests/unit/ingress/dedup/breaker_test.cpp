#include "ingress/dedup/breaker.hpp"

#include <gtest/gtest.h>

namespace sluice::dedup {
namespace {

using namespace std::chrono_literals;

const SteadyTime start{std::chrono::hours{1}};

Breaker opened() {
    Breaker breaker;
    for (int i = 0; i < Breaker::failures_to_open; ++i) breaker.failed(start);
    return breaker;
}

TEST(Breaker, OpensAfterThreeFailuresInARow) {
    Breaker breaker;
    breaker.failed(start);
    breaker.failed(start);
    EXPECT_TRUE(breaker.allows(start));
    breaker.failed(start);
    EXPECT_TRUE(breaker.is_open());
    EXPECT_FALSE(breaker.allows(start));
}

TEST(Breaker, SuccessBetweenFailuresKeepsItClosed) {
    Breaker breaker;
    for (int i = 0; i < 10; ++i) {
        breaker.failed(start);
        breaker.failed(start);
        breaker.succeeded();
    }
    EXPECT_TRUE(breaker.allows(start));
}

TEST(Breaker, LetsOneThroughPerSecond) {
    Breaker breaker = opened();
    EXPECT_FALSE(breaker.allows(start + 999ms));
    EXPECT_TRUE(breaker.allows(start + 1s));
    EXPECT_FALSE(breaker.allows(start + 1s)) << "one probe only";
    EXPECT_FALSE(breaker.allows(start + 1999ms));
    EXPECT_TRUE(breaker.allows(start + 2s));
}

TEST(Breaker, ProbeDecides) {
    Breaker breaker = opened();
    ASSERT_TRUE(breaker.allows(start + 1s));
    breaker.failed(start + 1s);
    EXPECT_FALSE(breaker.allows(start + 1500ms));
    ASSERT_TRUE(breaker.allows(start + 2s));
    breaker.succeeded();
    EXPECT_TRUE(breaker.allows(start + 2s));
    EXPECT_TRUE(breaker.allows(start + 2s));
}

}  // namespace
}  // namespace sluice::dedup
