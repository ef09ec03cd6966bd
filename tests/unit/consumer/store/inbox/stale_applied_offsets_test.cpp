#include <gtest/gtest.h>

#include "consumer/store/inbox/applied_offset.hpp"

namespace sluice::store {
namespace {

constexpr std::int64_t a_day = 24 * 3600;

std::vector<std::string> stale(const std::vector<AppliedOffsetRow>& rows) {
    std::vector<std::string> names;
    for (const auto& row : stale_applied_offsets(rows)) names.push_back(row.writer);
    return names;
}

TEST(StaleAppliedOffsets, AreADayOldAndBelowTheMaximum) {
    EXPECT_EQ(stale({{"topic", 0, "old", 5, a_day}, {"topic", 0, "top", 9, a_day}}),
              (std::vector<std::string>{"old"}));
    EXPECT_TRUE(stale({{"topic", 0, "young", 5, a_day - 1}, {"topic", 0, "top", 9, a_day}}).empty());
}

TEST(StaleAppliedOffsets, AreNeverTheMaximumHoweverOld) {
    EXPECT_TRUE(stale({{"topic", 0, "top", 9, 1000 * a_day}}).empty());
    EXPECT_TRUE(stale({{"topic", 0, "a", 9, 1000 * a_day}, {"topic", 0, "b", 9, 1000 * a_day}}).empty());
}

TEST(StaleAppliedOffsets, AreJudgedByTheirOwnPartitionAndTopic) {
    EXPECT_TRUE(stale({{"topic", 0, "a", 5, 2 * a_day}, {"topic", 1, "b", 9, a_day}}).empty());
    EXPECT_EQ(stale({{"topic", 0, "a", 5, 2 * a_day}, {"other", 0, "b", 9, 0}}),
              (std::vector<std::string>{}));
}

TEST(StaleAppliedOffsets, OfATopicThatNobodyReadsAreAsOthers) {
    EXPECT_EQ(
        stale({{"topic", 0, "ours", 3, 0}, {"old", 0, "top", 9, 300 * a_day}, {"old", 0, "low", 5, a_day}}),
        (std::vector<std::string>{"low"}))
        << "a hand-over may take weeks";
}

}  // namespace
}  // namespace sluice::store
