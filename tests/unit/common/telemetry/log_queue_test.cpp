#include "common/telemetry/log_queue.hpp"

#include <gtest/gtest.h>

namespace sluice {
namespace {

int kept(LogQueue& queue, int offers, bool routine) {
    int count = 0;
    for (int i = 0; i < offers; ++i) count += queue.offer("x", routine) ? 1 : 0;
    return count;
}

TEST(LogQueue, DropsRoutineLinesAboveHalfAndOthersWhenFull) {
    LogQueue queue{8};
    EXPECT_EQ(kept(queue, 20, true), 5);
    EXPECT_EQ(kept(queue, 20, false), 3);
    EXPECT_EQ(kept(queue, 1, true), 0);
    EXPECT_EQ(queue.dropped(), 15U + 17U + 1U);
}

TEST(LogQueue, CountsABatchUntilItIsWritten) {
    LogQueue queue{4};
    EXPECT_EQ(kept(queue, 4, false), 4);
    EXPECT_EQ(queue.take(100), "xxxx");
    EXPECT_TRUE(queue.empty());
    EXPECT_EQ(kept(queue, 1, false), 0);
    queue.written();
    EXPECT_EQ(kept(queue, 4, false), 4);
}

TEST(LogQueue, ABatchIsBoundedAndHoldsALineAtLeast) {
    LogQueue queue{9};
    for (const char* line : {"aaaa", "bb", "cc", "d"}) EXPECT_TRUE(queue.offer(line, false));
    EXPECT_EQ(queue.take(1), "aaaa");
    EXPECT_EQ(queue.take(4), "bbcc");
    EXPECT_EQ(queue.take(4), "d");
    EXPECT_EQ(queue.take(4), "");
}

TEST(LogQueue, ALostBatchCountsAsDropped) {
    LogQueue queue{4};
    EXPECT_EQ(kept(queue, 3, false), 3);
    (void)queue.take(100);
    queue.lost();
    EXPECT_EQ(queue.dropped(), 3U);
    EXPECT_EQ(kept(queue, 4, false), 4);
}

TEST(LogQueue, SaysEachDropOnce) {
    LogQueue queue{1};
    (void)kept(queue, 3, false);
    EXPECT_EQ(queue.unsaid(), 2U);
    queue.said(2);
    EXPECT_EQ(queue.unsaid(), 0U);
    (void)kept(queue, 1, false);
    EXPECT_EQ(queue.unsaid(), 1U);
    EXPECT_EQ(queue.dropped(), 3U);
}

}  // namespace
}  // namespace sluice
