#include "consumer/offsets/partitions.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

const WallTime now{std::chrono::seconds{1000}};

class PartitionsTest : public testing::Test {
protected:
    Coordinates begin(std::int64_t offset) { return {0, offset, *partitions.begin(0, offset, now)}; }
    void commit(const std::vector<Coordinates>& applied) {
        partitions.answered(applied, partitions.claims_with(applied));
    }
    /// What is stored now, as the poll loop does it.
    std::vector<Partitions::Storable> store() {
        auto storable = partitions.storable();
        for (const auto& what : storable) partitions.stored(what);
        return storable;
    }
    Partitions partitions;
};

TEST(AppliedCheck, ComparesWhatMySqlHoldsWithWhatIsBelieved) {
    const ToCheck committed{
        .partition = 0, .generation = 1, .known = 100, .log_start = 0, .had_committed = true};
    EXPECT_EQ(check_applied(committed, 100), AppliedCheck::good);
    EXPECT_EQ(check_applied(committed, 120), AppliedCheck::good);
    EXPECT_EQ(check_applied(committed, 99), AppliedCheck::behind);
    EXPECT_EQ(check_applied(committed, std::nullopt), AppliedCheck::unknown);
}

TEST(AppliedCheck, AFreshGroupNeedsNoRow) {
    const ToCheck fresh{.partition = 0, .generation = 1, .known = 5, .log_start = 5, .had_committed = false};
    EXPECT_EQ(check_applied(fresh, std::nullopt), AppliedCheck::good);
}

TEST(AppliedCheck, NothingCanBeReadAgainBelowTheLogsStart) {
    const ToCheck truncated{
        .partition = 0, .generation = 1, .known = 50, .log_start = 50, .had_committed = true};
    EXPECT_EQ(check_applied(truncated, std::nullopt), AppliedCheck::good);
}

TEST_F(PartitionsTest, StoresOnlyWhatAnAnsweredTransactionClaimed) {
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
    EXPECT_TRUE(store().empty()) << "each claim once";
}

TEST_F(PartitionsTest, AStoreThatFailedIsTriedAgain) {
    partitions.assign(0, 0, 0);
    commit({begin(0)});
    ASSERT_EQ(partitions.storable().size(), 1u);
    EXPECT_EQ(partitions.storable().size(), 1u) << "nobody said that it was stored";
    EXPECT_EQ(store()[0].offset, 1);
    EXPECT_TRUE(partitions.storable().empty());
}

TEST_F(PartitionsTest, ATransactionClaimsOthersAnsweredWorkAndItsOwn) {
    partitions.assign(0, 0, 0);
    const auto a = begin(0);
    const auto b = begin(1);
    const auto c = begin(2);
    commit({b});
    const auto claims = partitions.claims_with({a});
    ASSERT_EQ(claims.size(), 1u);
    EXPECT_EQ(claims[0].next_offset, 2) << "c is another worker's and not answered";
    partitions.answered({a}, claims);
    commit({c});
    EXPECT_EQ(store()[0].offset, 3);
}

TEST_F(PartitionsTest, WorkSettledWithoutATransactionWaitsForAClaim) {
    partitions.assign(0, 0, 0);
    partitions.finish(begin(0));
    EXPECT_TRUE(store().empty());
    const auto claims = partitions.unclaimed();
    ASSERT_EQ(claims.size(), 1u);
    EXPECT_EQ(claims[0].next_offset, 1);
    partitions.answered({}, claims);
    EXPECT_EQ(store()[0].offset, 1);
    EXPECT_TRUE(partitions.unclaimed().empty());
}

TEST_F(PartitionsTest, AnOlderGenerationMovesNothing) {
    partitions.assign(0, 0, 0);
    const auto old = begin(0);
    const auto old_claims = partitions.claims_with({old});
    partitions.assign(0, 0, 0);
    begin(0);
    partitions.answered({old}, old_claims);
    EXPECT_TRUE(store().empty());
    EXPECT_FALSE(partitions.is_current(old));
    EXPECT_TRUE(partitions.claims_with({old}).empty());
}

TEST_F(PartitionsTest, ARevokedPartitionIsNobodys) {
    partitions.assign(0, 0, 0);
    const auto at = begin(0);
    partitions.revoke_all();
    commit({at});
    EXPECT_TRUE(store().empty());
    EXPECT_EQ(partitions.begin(0, 1, now), std::nullopt);
}

TEST_F(PartitionsTest, ARewindStartsANewGenerationAtTheOlderOffset) {
    partitions.assign(0, 100, 0);
    const auto before = begin(100);
    const auto changes = partitions.changes();
    partitions.ask_rewind(0, before.generation, 40);
    EXPECT_TRUE(partitions.claims_with({before}).empty()) << "nothing is claimed while a seek-back is due";
    ASSERT_EQ(partitions.pending_rewinds().size(), 1u);
    EXPECT_EQ(partitions.pending_rewinds()[0].offset, 40);
    partitions.rewound(0, 40);
    EXPECT_GT(partitions.changes(), changes);
    EXPECT_TRUE(partitions.pending_rewinds().empty());
    EXPECT_FALSE(partitions.is_current(before));
    EXPECT_EQ(partitions.to_check()[0].known, 40);
    commit({begin(40)});
    EXPECT_EQ(store()[0].offset, 41);
}

TEST_F(PartitionsTest, ARewindOfAnOlderGenerationIsIgnored) {
    partitions.assign(0, 100, 0);
    const auto before = begin(100);
    partitions.rewound(0, 40);
    partitions.ask_rewind(0, before.generation, 10);
    EXPECT_TRUE(partitions.pending_rewinds().empty());
}

TEST_F(PartitionsTest, ATruncatedLogStartsANewGeneration) {
    partitions.assign(0, 0, 0);
    const auto before = begin(50);
    const auto after = begin(20);
    EXPECT_NE(before.generation, after.generation);
    EXPECT_FALSE(partitions.is_current(before));
}

}  // namespace
}  // namespace sluice::consumer
