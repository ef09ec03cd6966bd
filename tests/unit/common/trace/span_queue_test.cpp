#include "common/trace/span_queue.hpp"

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

TEST(SpanQueue, GivesAllThatWaits) {
    SpanQueue queue{{.spans = 10, .bytes = 100}};
    EXPECT_TRUE(queue.empty());
    EXPECT_TRUE(queue.offer("{1}"));
    EXPECT_TRUE(queue.offer("{2}"));
    const SpanQueue::Batch batch = queue.take();
    EXPECT_EQ(batch.spans, "{1},{2}");
    EXPECT_EQ(batch.count, 2U);
    EXPECT_TRUE(queue.empty());
    EXPECT_TRUE(queue.offer("{3}"));
    EXPECT_EQ(queue.take().spans, "{3}");
    EXPECT_EQ(queue.take().count, 0U);
}

TEST(SpanQueue, IsBoundedInNumber) {
    SpanQueue queue{{.spans = 4, .bytes = 100}};
    EXPECT_TRUE(queue.offer("1"));
    EXPECT_FALSE(queue.is_half_full());
    EXPECT_TRUE(queue.offer("2"));
    EXPECT_TRUE(queue.is_half_full());
    EXPECT_TRUE(queue.offer("3"));
    EXPECT_TRUE(queue.offer("4"));
    EXPECT_FALSE(queue.offer("5"));
    EXPECT_EQ(queue.take().spans, "1,2,3,4");
}

TEST(SpanQueue, IsBoundedInBytes) {
    SpanQueue queue{{.spans = 100, .bytes = 10}};
    EXPECT_FALSE(queue.offer("0123456789"));
    EXPECT_TRUE(queue.offer("01234"));
    EXPECT_TRUE(queue.is_half_full());
    EXPECT_FALSE(queue.offer("56789"));
    EXPECT_TRUE(queue.offer("5678"));
    EXPECT_EQ(queue.take().spans.size(), 10U);
}

}  // namespace
}  // namespace sluice::trace
