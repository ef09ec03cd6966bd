#include "consumer/offsets/finished_prefix.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

WallTime at_second(int s) {
    return WallTime{std::chrono::seconds{s}};
}

TEST(FinishedPrefix, StartsWhereReadingStarts) {
    EXPECT_EQ(FinishedPrefix{42}.prefix(), 42);
}

TEST(FinishedPrefix, CountsOnlyTheContiguousPrefix) {
    FinishedPrefix offsets{10};
    for (int o : {10, 11, 12}) ASSERT_TRUE(offsets.begin(o, at_second(o)));
    offsets.finish(12);
    offsets.finish(11);
    EXPECT_EQ(offsets.prefix(), 10);
    offsets.finish(10);
    EXPECT_EQ(offsets.prefix(), 13);
}

TEST(FinishedPrefix, PassesGapsInTheLog) {
    FinishedPrefix offsets{0};
    ASSERT_TRUE(offsets.begin(5, at_second(1)));
    EXPECT_EQ(offsets.prefix(), 5);
    ASSERT_TRUE(offsets.begin(9, at_second(1)));
    offsets.finish(5);
    EXPECT_EQ(offsets.prefix(), 9);
}

TEST(FinishedPrefix, RefusesAnOffsetThatWentBack) {
    FinishedPrefix offsets{0};
    ASSERT_TRUE(offsets.begin(7, at_second(1)));
    EXPECT_FALSE(offsets.begin(7, at_second(1)));
    EXPECT_FALSE(offsets.begin(3, at_second(1)));
    EXPECT_EQ(offsets.unfinished(), 1u);
}

TEST(FinishedPrefix, IgnoresUnknownAndRepeatedFinishes) {
    FinishedPrefix offsets{0};
    ASSERT_TRUE(offsets.begin(0, at_second(1)));
    ASSERT_TRUE(offsets.begin(1, at_second(1)));
    offsets.finish(99);
    offsets.finish(0);
    offsets.finish(0);
    EXPECT_EQ(offsets.prefix(), 1);
    EXPECT_EQ(offsets.unfinished(), 1u);
}

TEST(FinishedPrefix, ForetellsThePrefixOfATransaction) {
    FinishedPrefix offsets{0};
    for (int o = 0; o < 5; ++o) ASSERT_TRUE(offsets.begin(o, at_second(1)));
    offsets.finish(1);
    const std::vector<std::int64_t> mine{0, 2};
    EXPECT_EQ(offsets.prefix_with(mine), 3);
    const std::vector<std::int64_t> later{2, 3};
    EXPECT_EQ(offsets.prefix_with(later), 0);
    EXPECT_EQ(offsets.prefix(), 0);
}

TEST(FinishedPrefix, NamesTheOldestEventThatIsDue) {
    FinishedPrefix offsets{0};
    for (int o = 0; o < 3; ++o) ASSERT_TRUE(offsets.begin(o, at_second(o + 1)));
    offsets.finish(0);
    EXPECT_EQ(offsets.oldest_due(), at_second(2));
    offsets.set_waiting(1, true);
    EXPECT_EQ(offsets.oldest_due(), at_second(3));
    offsets.finish(2);
    EXPECT_EQ(offsets.oldest_due(), std::nullopt);
    offsets.set_waiting(1, false);
    EXPECT_EQ(offsets.oldest_due(), at_second(2));
}

// The property that keeps events: whatever the order of completion, nothing below the prefix is unfinished.
TEST(FinishedPrefix, NeverCoversAnUnfinishedOffset) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random{seed};
        FinishedPrefix offsets{0};
        std::vector<std::int64_t> open;
        std::int64_t next = 0;
        for (int step = 0; step < 200; ++step) {
            if (open.empty() || random() % 2 == 0) {
                next += 1 + static_cast<std::int64_t>(random() % 3);
                ASSERT_TRUE(offsets.begin(next, at_second(step)));
                open.push_back(next);
            } else {
                std::ranges::shuffle(open, random);
                offsets.finish(open.back());
                open.pop_back();
            }
            const auto first_open = open.empty() ? next + 1 : std::ranges::min(open);
            ASSERT_EQ(offsets.prefix(), first_open) << "seed " << seed;
        }
    }
}

}  // namespace
}  // namespace sluice::consumer
