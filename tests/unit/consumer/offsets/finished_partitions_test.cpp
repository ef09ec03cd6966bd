#include "consumer/offsets/partitions.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

/// Of several topics, and nothing is written to MySQL: the retry role's.
class FinishedPartitionsTest : public testing::Test {
protected:
    void assign(Place place) { partitions.assign(place, std::nullopt, 0); }
    Coordinates begin(Place place, std::int64_t offset, WallTime due = {}) {
        const auto generation = partitions.begin(place, offset, due);
        EXPECT_TRUE(generation);
        return {place.partition, offset, generation.value_or(0), place.topic};
    }
    /// The one prefix that may be stored; -1: none.
    std::int64_t storable(Place place) {
        for (const auto& what : partitions.storable()) {
            if (what.place == place) return what.offset;
        }
        return -1;
    }

    static constexpr Place short_tier{3, 0};
    static constexpr Place long_tier{3, 4};
    Partitions partitions{Partitions::StoredOnce::finished};
};

TEST_F(FinishedPartitionsTest, StoreOnlyTheContiguousFinishedPrefix) {
    assign(short_tier);
    const Coordinates first = begin(short_tier, 10);
    const Coordinates second = begin(short_tier, 11);
    partitions.finish(second);
    EXPECT_EQ(storable(short_tier), 10) << "11 is finished and 10 is not";
    partitions.finish(first);
    EXPECT_EQ(storable(short_tier), 12);
}

TEST_F(FinishedPartitionsTest, StoreNothingOfAPlaceThatGaveNoRecordYet) {
    assign(short_tier);
    EXPECT_EQ(storable(short_tier), -1);
}

TEST_F(FinishedPartitionsTest, TellTopicsApart) {
    assign(short_tier);
    assign(long_tier);
    const Coordinates record = begin(short_tier, 5);
    (void)begin(long_tier, 5);
    partitions.finish(record);
    EXPECT_EQ(storable(short_tier), 6);
    EXPECT_EQ(storable(long_tier), 5);
}

TEST_F(FinishedPartitionsTest, DoNotLetARevokedRecordMoveALaterAssignment) {
    assign(short_tier);
    const Coordinates old = begin(short_tier, 10);
    partitions.revoke_all();
    EXPECT_FALSE(partitions.is_current(old));
    assign(short_tier);
    const Coordinates again = begin(short_tier, 10);
    partitions.finish(old);
    EXPECT_EQ(storable(short_tier), 10) << "its second reading is not finished";
    partitions.finish(again);
    EXPECT_EQ(storable(short_tier), 11);
}

TEST_F(FinishedPartitionsTest, GiveNoGenerationToWhatIsNotOurs) {
    EXPECT_EQ(partitions.begin(short_tier, 1, {}), std::nullopt);
}

TEST_F(FinishedPartitionsTest, StartAnewWhereOffsetsStartAnew) {
    assign(short_tier);
    const Coordinates old = begin(short_tier, 10);
    const auto changes = partitions.changes();
    const Coordinates first = begin(short_tier, 0);
    EXPECT_GT(partitions.changes(), changes);
    EXPECT_FALSE(partitions.is_current(old));
    partitions.finish(first);
    EXPECT_EQ(storable(short_tier), 1);
}

TEST_F(FinishedPartitionsTest, OfferAPrefixUntilItWasStored) {
    assign(short_tier);
    partitions.finish(begin(short_tier, 0));
    const auto what = partitions.storable();
    ASSERT_EQ(what.size(), 1U);
    partitions.stored(what[0]);
    EXPECT_TRUE(partitions.storable().empty());
}

TEST_F(FinishedPartitionsTest, SayWhatIsUnfinishedAndSinceWhenItIsDue) {
    assign(short_tier);
    (void)begin(short_tier, 0, WallTime{7s});
    (void)begin(short_tier, 1, WallTime{8s});
    const auto lags = partitions.lags();
    ASSERT_EQ(lags.size(), 1U);
    EXPECT_EQ(lags[0].oldest_due, WallTime{7s});
    EXPECT_EQ(lags[0].unfinished, 2U);
}

}  // namespace
}  // namespace sluice::consumer
