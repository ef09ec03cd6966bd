#include "common/trace/tracer.hpp"

#include <gtest/gtest.h>

#include "common/crypto/random.hpp"
#include "common/trace/context.hpp"

namespace sluice::trace {
namespace {

const std::string head(18, 'a');

TEST(Sampler, GoesByTheLast56Bits) {
    const Sampler half{0.5};
    EXPECT_TRUE(half.keeps(head + "80000000000000"));
    EXPECT_TRUE(half.keeps(head + "ffffffffffffff"));
    EXPECT_FALSE(half.keeps(head + "7fffffffffffff"));
    EXPECT_FALSE(half.keeps(std::string(18, 'f') + "00000000000000"));
    EXPECT_TRUE(Sampler{0.01}.keeps(head + "fd70a3d70a3d71"));
    EXPECT_FALSE(Sampler{0.01}.keeps(head + "fd70a3d70a3d00"));
}

TEST(Sampler, AllAndNoneAreExact) {
    EXPECT_TRUE(Sampler{1}.keeps(head + "00000000000000"));
    EXPECT_FALSE(Sampler{0}.keeps(head + "ffffffffffffff"));
}

TEST(Sampler, KeepsNothingThatIsNoId) {
    EXPECT_FALSE(Sampler{1}.keeps(""));
    EXPECT_FALSE(Sampler{1}.keeps("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"));
}

TEST(Sampler, KeepsAboutItsShare) {
    const Sampler tenth{0.1};
    int kept = 0;
    for (int i = 0; i < 10'000; ++i) kept += tenth.keeps(crypto::random_hex(16)) ? 1 : 0;
    EXPECT_NEAR(kept, 1000, 200);  // more than six default deviations
}

TEST(Tracer, OffItDecidesAndTellsNothing) {
    Tracer off;
    Context context = continue_trace("", "");
    off.decide(context);
    off.tell({.name = "x", .self = {context.trace_id(), context.span_id()}});
    EXPECT_FALSE(off.is_on());
    EXPECT_FALSE(context.sampled());
    EXPECT_FALSE(off.keeps("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
}

TEST(Tracer, NamesTheSpanInATraceparent) {
    const SpanName name = name_in("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    EXPECT_EQ(name.trace_id, "4bf92f3577b34da6a3ce929d0e0e4736");
    EXPECT_EQ(name.span_id, "00f067aa0ba902b7");
    EXPECT_EQ(name_in("").trace_id, "");
}

}  // namespace
}  // namespace sluice::trace
