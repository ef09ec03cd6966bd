#include "ingress/callbacks/sample.hpp"

#include <gtest/gtest.h>

namespace sluice::callbacks {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime start{1h};

int taken(Sample& sample, std::string_view source, std::string_view verdict, int requests) {
    int count = 0;
    for (int i = 0; i < requests; ++i) count += sample.takes(source, verdict) ? 1 : 0;
    return count;
}

TEST(Sample, TakesTheFirstTenOfASourceAndAVerdict) {
    Sample sample;
    static_cast<void>(sample.ended(start));
    EXPECT_EQ(taken(sample, "eu", "refused_signature", 25), 10);
    EXPECT_EQ(taken(sample, "eu", "limited", 25), 10);
    EXPECT_EQ(taken(sample, "us", "refused_signature", 3), 3);
}

TEST(Sample, CountsEachRequestThatItLeavesOut) {
    Sample sample;
    static_cast<void>(sample.ended(start));
    static_cast<void>(taken(sample, "eu", "refused_signature", 25));
    static_cast<void>(taken(sample, "us", "refused_signature", 10));
    EXPECT_TRUE(sample.ended(start + 9s).empty());
    const auto left_out = sample.ended(start + 10s);
    ASSERT_EQ(left_out.size(), 1);
    EXPECT_EQ(left_out[0].source, "eu");
    EXPECT_EQ(left_out[0].verdict, "refused_signature");
    EXPECT_EQ(left_out[0].requests, 15);
    EXPECT_TRUE(sample.ended(start + 20s).empty());
}

TEST(Sample, BeginsAnewWithEachWindow) {
    Sample sample;
    static_cast<void>(sample.ended(start));
    static_cast<void>(taken(sample, "eu", "limited", 25));
    static_cast<void>(sample.ended(start + 10s));
    EXPECT_EQ(taken(sample, "eu", "limited", 25), 10);
    EXPECT_EQ(sample.end().front().requests, 15);
}

}  // namespace
}  // namespace sluice::callbacks
