#include "consumer/offsets/leader_epochs.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

TEST(LeaderEpochs, AnOffsetHasTheEpochOfTheRecordBeforeIt) {
    LeaderEpochs epochs{{100, 3}};
    EXPECT_EQ(epochs.below(100), 3) << "as it was committed";
    epochs.note(100, 3);
    epochs.note(101, 5);
    epochs.note(104, 5);
    epochs.note(105, 6);
    EXPECT_EQ(epochs.below(101), 3);
    EXPECT_EQ(epochs.below(102), 5);
    EXPECT_EQ(epochs.below(105), 5) << "the gap below belongs to who wrote before it";
    EXPECT_EQ(epochs.below(106), 6);
}

TEST(LeaderEpochs, NothingIsKnownBelowAStartOfAnEarlierRelease) {
    LeaderEpochs epochs{{100}};
    EXPECT_EQ(epochs.below(100), unknown_epoch);
    epochs.note(100, 2);
    EXPECT_EQ(epochs.below(101), 2);
}

TEST(LeaderEpochs, WhatIsForgottenIsAskedForNoMore) {
    LeaderEpochs epochs{{0, 1}};
    for (std::int64_t offset = 0; offset < 10; ++offset)
        epochs.note(offset, static_cast<std::int32_t>(offset));
    epochs.forget_below(7);
    EXPECT_EQ(epochs.below(7), 6);
    EXPECT_EQ(epochs.below(10), 9);
}

}  // namespace
}  // namespace sluice::consumer
