#include "consumer/retry_role/retry_offsets.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

class RetryOffsetsTest : public testing::Test {
protected:
    Touch begin(Place place, std::int64_t offset, WallTime due = {}) {
        const auto generation = offsets.begin(place, offset, due);
        EXPECT_TRUE(generation);
        return {place,
                RecordKind::wakeup,
                Record{.at = {place.partition, offset, generation.value_or(0)},
                       .key = {},
                       .value = {},
                       .headers = {},
                       .owner = {}},
                {}};
    }
    /// The one prefix that may be stored; -1: none.
    std::int64_t storable(Place place) {
        for (const auto& what : offsets.storable()) {
            if (what.place == place) return what.offset;
        }
        return -1;
    }

    static constexpr Place short_tier{0, 3};
    static constexpr Place long_tier{4, 3};
    RetryOffsets offsets;
};

TEST_F(RetryOffsetsTest, StoreOnlyTheContiguousFinishedPrefix) {
    offsets.assign(short_tier);
    const Touch first = begin(short_tier, 10);
    const Touch second = begin(short_tier, 11);
    offsets.finish(second);
    EXPECT_EQ(storable(short_tier), 10) << "11 is finished and 10 is not";
    offsets.finish(first);
    EXPECT_EQ(storable(short_tier), 12);
}

TEST_F(RetryOffsetsTest, StoreNothingOfAPlaceThatGaveNoRecordYet) {
    offsets.assign(short_tier);
    EXPECT_EQ(storable(short_tier), -1);
}

TEST_F(RetryOffsetsTest, TellTopicsApart) {
    offsets.assign(short_tier);
    offsets.assign(long_tier);
    const Touch record = begin(short_tier, 5);
    (void)begin(long_tier, 5);
    offsets.finish(record);
    EXPECT_EQ(storable(short_tier), 6);
    EXPECT_EQ(storable(long_tier), 5);
}

TEST_F(RetryOffsetsTest, DoNotLetARevokedRecordMoveALaterAssignment) {
    offsets.assign(short_tier);
    const Touch old = begin(short_tier, 10);
    offsets.revoke_all();
    EXPECT_FALSE(offsets.is_current(old));
    offsets.assign(short_tier);
    const Touch again = begin(short_tier, 10);
    offsets.finish(old);
    EXPECT_EQ(storable(short_tier), 10) << "its second reading is not finished";
    offsets.finish(again);
    EXPECT_EQ(storable(short_tier), 11);
}

TEST_F(RetryOffsetsTest, GiveNoGenerationToWhatIsNotOurs) {
    EXPECT_EQ(offsets.begin(short_tier, 1, {}), std::nullopt);
}

TEST_F(RetryOffsetsTest, StartAnewWhereOffsetsStartAnew) {
    offsets.assign(short_tier);
    const Touch old = begin(short_tier, 10);
    const auto changes = offsets.changes();
    const Touch first = begin(short_tier, 0);
    EXPECT_GT(offsets.changes(), changes);
    EXPECT_FALSE(offsets.is_current(old));
    offsets.finish(first);
    EXPECT_EQ(storable(short_tier), 1);
}

TEST_F(RetryOffsetsTest, OfferAPrefixUntilItWasStored) {
    offsets.assign(short_tier);
    offsets.finish(begin(short_tier, 0));
    const auto what = offsets.storable();
    ASSERT_EQ(what.size(), 1U);
    offsets.stored(what[0]);
    EXPECT_TRUE(offsets.storable().empty());
}

TEST_F(RetryOffsetsTest, SayWhatIsUnfinishedAndSinceWhenItIsDue) {
    offsets.assign(short_tier);
    (void)begin(short_tier, 0, WallTime{7s});
    (void)begin(short_tier, 1, WallTime{8s});
    const auto lags = offsets.lags();
    ASSERT_EQ(lags.size(), 1U);
    EXPECT_EQ(lags[0].oldest_due, WallTime{7s});
    EXPECT_EQ(lags[0].unfinished, 2U);
}

}  // namespace
}  // namespace sluice::consumer
