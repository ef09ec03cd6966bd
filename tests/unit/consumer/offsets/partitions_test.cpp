#include "consumer/offsets/partitions.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

const WallTime now{std::chrono::seconds{1000}};

class PartitionsTest : public testing::Test {
protected:
    Coordinates begin(std::int64_t offset) {
        return {0, offset, *partitions.begin(0, LogPosition{offset}, now)};
    }
    void commit(const std::vector<Coordinates>& applied) {
        partitions.answered(applied, partitions.offsets_with(applied));
    }
    /// MySQL's rows, after a cut.
    void forget_applied_offsets(std::uint64_t generation) {
        ASSERT_TRUE(partitions.begin_forgetting(0, generation));
        partitions.forgot(0, generation, true);
    }
    /// What is stored now, as the group member does it.
    std::vector<Partitions::Storable> store() {
        auto storable = partitions.storable();
        for (const auto& what : storable) partitions.stored(what);
        return storable;
    }
    Partitions partitions;
};

TEST_F(PartitionsTest, StoresOnlyWhatAnAnsweredTransactionWrote) {
    partitions.assign(0, 0, 0);
    const auto first = begin(0);
    const auto second = begin(1);
    EXPECT_TRUE(store().empty());
    commit({second});
    EXPECT_TRUE(store().empty()) << "offset 0 is not finished";
    commit({first});
    const auto storable = store();
    ASSERT_EQ(storable.size(), 1u);
    EXPECT_EQ(storable[0].offset, 2);
    EXPECT_TRUE(store().empty()) << "each offset once";
}

TEST_F(PartitionsTest, AStoreThatFailedIsTriedAgain) {
    partitions.assign(0, 0, 0);
    commit({begin(0)});
    ASSERT_EQ(partitions.storable().size(), 1u);
    EXPECT_EQ(partitions.storable().size(), 1u) << "nobody said that it was stored";
    EXPECT_EQ(store()[0].offset, 1);
    EXPECT_TRUE(partitions.storable().empty());
}

TEST_F(PartitionsTest, ATransactionWritesOthersAnsweredWorkAndItsOwn) {
    partitions.assign(0, 0, 0);
    const auto a = begin(0);
    const auto b = begin(1);
    const auto c = begin(2);
    commit({b});
    const auto offsets = partitions.offsets_with({a});
    ASSERT_EQ(offsets.size(), 1u);
    EXPECT_EQ(offsets[0].next_offset, 2) << "c is another worker's and not answered";
    partitions.answered({a}, offsets);
    commit({c});
    EXPECT_EQ(store()[0].offset, 3);
}

TEST_F(PartitionsTest, WorkSettledWithoutATransactionWaitsForALaterWrite) {
    partitions.assign(0, 0, 0);
    partitions.finish(begin(0));
    EXPECT_TRUE(store().empty());
    const auto offsets = partitions.unwritten();
    ASSERT_EQ(offsets.size(), 1u);
    EXPECT_EQ(offsets[0].next_offset, 1);
    partitions.answered({}, offsets);
    EXPECT_EQ(store()[0].offset, 1);
    EXPECT_TRUE(partitions.unwritten().empty());
}

TEST_F(PartitionsTest, AnOlderGenerationMovesNothing) {
    partitions.assign(0, 0, 0);
    const auto old = begin(0);
    const auto old_claims = partitions.offsets_with({old});
    partitions.assign(0, 0, 0);
    begin(0);
    partitions.answered({old}, old_claims);
    EXPECT_TRUE(store().empty());
    EXPECT_FALSE(partitions.is_current(old));
    EXPECT_TRUE(partitions.offsets_with({old}).empty());
}

TEST_F(PartitionsTest, ARevokedPartitionIsNobodys) {
    partitions.assign(0, 0, 0);
    const auto at = begin(0);
    partitions.revoke_all();
    commit({at});
    EXPECT_TRUE(store().empty());
    EXPECT_EQ(partitions.begin(0, LogPosition{1}, now), std::nullopt);
}

TEST_F(PartitionsTest, AWrittenOffsetThatIsGoneIsNoticedBeforeKafkaHasAnOffset) {
    partitions.assign(0, std::nullopt, 0);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), std::nullopt), AppliedCheck::good);
    commit({begin(0)});
    EXPECT_EQ(check_applied(partitions.to_check().at(0), std::nullopt), AppliedCheck::unknown);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 1), AppliedCheck::good);
}

TEST_F(PartitionsTest, ARewindStartsANewGenerationAtTheOlderOffset) {
    partitions.assign(0, 100, 0);
    const auto before = begin(100);
    const auto changes = partitions.changes();
    partitions.ask_rewind(0, before.generation, 40);
    EXPECT_TRUE(partitions.offsets_with({before}).empty()) << "nothing is written while a seek-back is due";
    ASSERT_EQ(partitions.pending_rewinds().size(), 1u);
    EXPECT_EQ(partitions.pending_rewinds()[0].to.offset, 40);
    partitions.rewound(0, 40);
    EXPECT_GT(partitions.changes(), changes);
    EXPECT_TRUE(partitions.pending_rewinds().empty());
    EXPECT_FALSE(partitions.is_current(before));
    EXPECT_EQ(partitions.to_check()[0].known, 40);
    commit({begin(40)});
    EXPECT_EQ(store()[0].offset, 41);
}

TEST_F(PartitionsTest, WhatWasHandedOutAboveTheAppliedOffsetsIsInDoubt) {
    partitions.assign(0, 0, 0);
    EXPECT_FALSE(partitions.to_check().at(0).has_begun);
    const auto first = begin(0);
    commit({begin(1)});
    EXPECT_EQ(partitions.to_check().at(0).known, 0) << "nothing is written over an unfinished one";
    EXPECT_TRUE(partitions.to_check().at(0).has_begun);
    commit({first});
    EXPECT_EQ(partitions.to_check().at(0).known, 2);
    EXPECT_FALSE(partitions.to_check().at(0).has_begun);
}

TEST_F(PartitionsTest, ARewindRemembersThatMysqlHadARow) {
    partitions.assign(0, 100, 0);
    partitions.rewound(0, 40);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), std::nullopt), AppliedCheck::unknown);
    partitions.rewound(0, 0);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), std::nullopt), AppliedCheck::good);
}

TEST_F(PartitionsTest, WhatMysqlLacksBelowTheLogsStartIsSoughtOnce) {
    partitions.assign(0, 4, 7);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 4), AppliedCheck::good);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 2), AppliedCheck::behind);
    partitions.rewound(0, 7);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 2), AppliedCheck::good) << "Kafka has nothing below";
    commit({begin(7)});
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 8), AppliedCheck::good);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 2), AppliedCheck::behind)
        << "that can be read again";
}

TEST_F(PartitionsTest, ALogThatIsReadFromItsStartMayHaveLostWhatWasBelow) {
    partitions.assign(0, 7, 7);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 4), AppliedCheck::behind) << "an alarm is due";
    partitions.rewound(0, 7);
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 4), AppliedCheck::good);
}

TEST_F(PartitionsTest, ALowerRewindThatIsAskedForMeanwhileStaysPending) {
    partitions.assign(0, 100, 0);
    const auto before = begin(100);
    EXPECT_TRUE(partitions.ask_rewind(0, before.generation, 40));
    EXPECT_FALSE(partitions.ask_rewind(0, before.generation, 50)) << "no news";
    EXPECT_TRUE(partitions.ask_rewind(0, before.generation, 10));
    partitions.rewound(0, 40);
    ASSERT_EQ(partitions.pending_rewinds().size(), 1u);
    EXPECT_EQ(partitions.pending_rewinds()[0].to.offset, 10);
}

TEST_F(PartitionsTest, ARewindKnowsTheEpochOfTheRecordBelow) {
    partitions.assign(0, LogPosition{100, 3}, 0);
    const auto first = begin(100);
    partitions.ask_rewind(0, first.generation, 100);
    const auto rewinds = partitions.pending_rewinds();
    EXPECT_EQ(rewinds.at(0).to, (LogPosition{100, 3}));
    partitions.rewound(0, rewinds[0].to);
    commit({{0, 100, *partitions.begin(0, {100, 4}, now)}});
    EXPECT_EQ(store().at(0).leader_epoch, 4);
}

TEST_F(PartitionsTest, ARewindOfAnOlderGenerationIsIgnored) {
    partitions.assign(0, 100, 0);
    const auto before = begin(100);
    partitions.rewound(0, 40);
    partitions.ask_rewind(0, before.generation, 10);
    EXPECT_TRUE(partitions.pending_rewinds().empty());
}

TEST_F(PartitionsTest, AnOffsetBelowAnEarlierOneStartsANewGeneration) {
    partitions.assign(0, 0, 0);
    const auto before = begin(50);
    const auto after = begin(20);
    EXPECT_NE(before.generation, after.generation);
    EXPECT_FALSE(partitions.is_current(before));
}

TEST_F(PartitionsTest, OffsetsAreStoredWithTheEpochOfTheRecordBefore) {
    partitions.assign(0, LogPosition{100, 3}, 0);
    const Coordinates first{0, 100, *partitions.begin(0, {100, 3}, now)};
    const Coordinates second{0, 101, *partitions.begin(0, {101, 4}, now)};
    commit({first});
    auto stored = store();
    EXPECT_EQ(stored.at(0).leader_epoch, 3);
    EXPECT_TRUE(stored[0].is_first);
    commit({second});
    stored = store();
    EXPECT_EQ(stored.at(0).leader_epoch, 4);
    EXPECT_FALSE(stored[0].is_first);
}

TEST_F(PartitionsTest, ARestartBelievesNothingOfBefore) {
    partitions.assign(0, 100, 0);
    const auto before = begin(100);
    partitions.restart(0, 40);
    EXPECT_FALSE(partitions.is_current(before));
    const ToCheck check = partitions.to_check().at(0);
    EXPECT_EQ(check.known, 40);
    EXPECT_FALSE(check.had_row);
    EXPECT_TRUE(check.rows_are_void);
}

TEST_F(PartitionsTest, AfterARestartNothingIsWrittenBeforeTheOldRowsAreForgotten) {
    partitions.restart(0, 40);
    const auto read = begin(40);
    EXPECT_TRUE(partitions.offsets_with({read}).empty());
    partitions.finish(read);
    EXPECT_TRUE(partitions.unwritten().empty());
    EXPECT_TRUE(partitions.begin_forgetting(0, read.generation));
    EXPECT_FALSE(partitions.begin_forgetting(0, read.generation)) << "one worker does it";
    EXPECT_TRUE(partitions.unwritten().empty());
    partitions.forgot(0, read.generation, false);
    EXPECT_TRUE(partitions.begin_forgetting(0, read.generation)) << "it failed: once more";
    partitions.forgot(0, read.generation, true);
    EXPECT_FALSE(partitions.to_check().at(0).rows_are_void);
    commit({});
    partitions.answered({}, partitions.unwritten());
    EXPECT_EQ(store().at(0).offset, 41) << "lower than what was stored before the cut";
}

TEST_F(PartitionsTest, AfterACutASeekBackMakesNoRowLookLost) {
    partitions.restart(0, 0);
    const auto generation = partitions.to_check().at(0).generation;
    forget_applied_offsets(generation);
    std::vector<Coordinates> read;
    for (int offset = 0; offset < 45; ++offset) read.push_back(begin(offset));
    commit(read);
    partitions.rewound(0, LogPosition{40});
    EXPECT_EQ(check_applied(partitions.to_check().at(0), 45), AppliedCheck::good);
}

TEST_F(PartitionsTest, RowsThatComeBackAfterACutAreForgottenAndAllIsReadAgain) {
    partitions.restart(0, 0);
    const auto read = begin(0);
    forget_applied_offsets(read.generation);
    commit({read});
    ASSERT_EQ(partitions.to_check().at(0).read_since_cut, 1);
    EXPECT_FALSE(partitions.distrust(0, read.generation, 1)) << "that is what was applied";
    const auto changes = partitions.changes();
    EXPECT_TRUE(partitions.distrust(0, read.generation, 50));
    EXPECT_FALSE(partitions.distrust(0, read.generation, 50)) << "once";
    EXPECT_FALSE(partitions.distrust(0, read.generation, std::nullopt)) << "it is distrusted already";
    EXPECT_GT(partitions.changes(), changes) << "all look again";
    EXPECT_TRUE(partitions.to_check().at(0).rows_are_void);
    ASSERT_EQ(partitions.pending_rewinds().size(), 1U);
    EXPECT_EQ(partitions.pending_rewinds()[0].to.offset, 0);
    partitions.rewound(0, LogPosition{0});
    const ToCheck check = partitions.to_check().at(0);
    EXPECT_TRUE(check.rows_are_void && check.read_since_cut) << "the seek is no reason to believe them";
}

TEST_F(PartitionsTest, RowsAreDistrustedAlsoWhileASeekBackIsDue) {
    partitions.restart(0, 0);
    const auto read = begin(0);
    forget_applied_offsets(read.generation);
    commit({read});
    ASSERT_TRUE(partitions.ask_rewind(0, read.generation, 1));
    EXPECT_TRUE(partitions.distrust(0, read.generation, std::nullopt));
    partitions.rewound(0, LogPosition{1});
    ASSERT_EQ(partitions.pending_rewinds().size(), 1U) << "the seek that was due is not enough";
    EXPECT_EQ(partitions.pending_rewinds()[0].to.offset, 0);
}

TEST_F(PartitionsTest, ARowOfBeforeTheDistrustThatIsWrittenLateIsForgottenOnceMore) {
    for (const bool is_sought : {false, true}) {
        partitions.restart(0, 0);
        const auto read = begin(0);
        forget_applied_offsets(read.generation);
        partitions.finish(read);
        const auto late = partitions.unwritten();
        ASSERT_EQ(late.size(), 1U);
        ASSERT_TRUE(partitions.distrust(0, read.generation, std::nullopt));
        forget_applied_offsets(read.generation);
        if (is_sought) partitions.rewound(0, LogPosition{0});
        partitions.answered({}, late);
        EXPECT_TRUE(partitions.to_check().at(0).rows_are_void);
        EXPECT_EQ(partitions.to_check().at(0).known, 0);
    }
}

TEST_F(PartitionsTest, ARowOfBeforeACutThatIsWrittenLateIsForgottenOnceMore) {
    partitions.assign(0, 0, 0);
    const auto before = begin(0);
    partitions.finish(before);
    const auto late = partitions.unwritten();
    ASSERT_EQ(late.size(), 1U);
    partitions.restart(0, 0);
    const auto generation = partitions.to_check().at(0).generation;
    forget_applied_offsets(generation);
    partitions.answered({}, late);
    EXPECT_TRUE(partitions.to_check().at(0).rows_are_void);
}

TEST_F(PartitionsTest, ARowOfBeforeACutThatIsWrittenBesideTheForgettingIsForgottenOnceMore) {
    partitions.assign(0, 0, 0);
    partitions.finish(begin(0));
    const auto late = partitions.unwritten();
    partitions.restart(0, 0);
    const auto generation = partitions.to_check().at(0).generation;
    ASSERT_TRUE(partitions.begin_forgetting(0, generation));
    partitions.answered({}, late);
    partitions.forgot(0, generation, true);
    EXPECT_TRUE(partitions.begin_forgetting(0, generation));
    partitions.forgot(0, generation, true);
    EXPECT_FALSE(partitions.to_check().at(0).rows_are_void);
}

TEST_F(PartitionsTest, WhoForgetsMayFindAnotherGenerationAtTheEnd) {
    partitions.restart(0, 0);
    const auto generation = partitions.to_check().at(0).generation;
    ASSERT_TRUE(partitions.begin_forgetting(0, generation));
    partitions.rewound(0, LogPosition{0});
    partitions.forgot(0, generation, true);
    const auto next = partitions.to_check().at(0).generation;
    EXPECT_TRUE(partitions.begin_forgetting(0, next)) << "it is not known whether they were forgotten";
}

TEST_F(PartitionsTest, OnlyUnfinishedRecordsHoldARestartUp) {
    EXPECT_EQ(partitions.unfinished(0), 0U) << "nothing was read of it yet";
    partitions.assign(0, 0, 0);
    const auto at = begin(0);
    EXPECT_EQ(partitions.unfinished(0), 1U);
    partitions.finish(at);
    EXPECT_EQ(partitions.unfinished(0), 0U);
}

}  // namespace
}  // namespace sluice::consumer
