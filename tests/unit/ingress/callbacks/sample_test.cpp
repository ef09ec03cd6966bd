#include "ingress/callbacks/sample.hpp"

#include <gtest/gtest.h>

namespace sluice::callbacks {
namespace {

using namespace std::chrono_literals;

constexpr SteadyTime start{1h};

int taken(Sample& sample, std::string_view source, std::string_view verdict, int requests,
          Cause cause = Cause::anybody) {
    int count = 0;
    for (int i = 0; i < requests; ++i) count += sample.takes(cause, source, verdict) ? 1 : 0;
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

TEST(Sample, TakesAThousandOfWhatAProviderSigned) {
    Sample sample;
    EXPECT_EQ(taken(sample, "eu", "duplicate", 1'500, Cause::provider), 1'000);
    EXPECT_EQ(sample.end().front().requests, 500);
}

TEST(Sample, TakesAHundredOfWhatAnybodySendsToAllSources) {
    Sample sample;
    int count = 0;
    for (int source = 0; source < 50; ++source)
        count += taken(sample, std::to_string(source), "refused_signature", 10);
    EXPECT_EQ(count, 100);
    std::uint64_t left_out = 0;
    for (const LeftOut& one : sample.end()) left_out += one.requests;
    EXPECT_EQ(left_out, 400);
    EXPECT_EQ(taken(sample, "0", "refused_signature", 20), 10);
}

TEST(Sample, KeepsTheFirstRequestOfWhatAnybodySends) {
    Sample sample;
    static_cast<void>(sample.takes(Cause::anybody, "eu", "refused_signature"));
    EXPECT_TRUE(sample.keeps(Cause::anybody, 100));
    static_cast<void>(sample.takes(Cause::anybody, "eu", "refused_signature"));
    EXPECT_FALSE(sample.keeps(Cause::anybody, 100));
    static_cast<void>(sample.takes(Cause::anybody, "us", "refused_signature"));
    EXPECT_TRUE(sample.keeps(Cause::anybody, 100));
}

TEST(Sample, KeepsNoMoreBytesThanAreAllowedInAWindow) {
    Sample sample;
    std::size_t kept = 0;
    for (int source = 0; source < 50; ++source) {
        static_cast<void>(sample.takes(Cause::anybody, std::to_string(source), "refused_signature"));
        if (sample.keeps(Cause::anybody, 4'000)) kept += 4'000;
    }
    EXPECT_LE(kept, Sample::bytes_of_anybody);
    EXPECT_GT(kept, Sample::bytes_of_anybody / 2);
    for (int i = 0; i < 100; ++i) {
        static_cast<void>(sample.takes(Cause::provider, "eu", "duplicate"));
        if (sample.keeps(Cause::provider, 200'000)) kept += 200'000;
    }
    EXPECT_LE(kept, Sample::bytes_of_anybody + Sample::bytes_of_providers);
    static_cast<void>(sample.end());
    static_cast<void>(sample.takes(Cause::anybody, "eu", "refused_signature"));
    EXPECT_TRUE(sample.keeps(Cause::anybody, 4'000));
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
