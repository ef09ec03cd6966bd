#include "ingress/spill/progress.hpp"

#include <gtest/gtest.h>

#include "ingress/spill/backlog.hpp"

namespace sluice::spill {
namespace {

TEST(ProgressTest, IsAsFarAsEverythingBeforeIsDone) {
    Progress progress;
    EXPECT_EQ(progress.until(), 0U);
    progress.done(50, 80);
    EXPECT_EQ(progress.until(), 0U);
    EXPECT_TRUE(progress.is_done(50) && progress.is_done(79));
    EXPECT_FALSE(progress.is_done(49) || progress.is_done(80));
    progress.done(0, 30);
    EXPECT_EQ(progress.until(), 30U);
    progress.done(30, 50);
    EXPECT_EQ(progress.until(), 80U);
}

TEST(BacklogTest, HoldsABucketWhileItHasRecords) {
    Backlog backlog;
    const auto bucket = Backlog::bucket_of("stripe/acct/pi_1");
    const auto next = static_cast<Backlog::Bucket>((bucket + 1) % Backlog::buckets);
    backlog.counted();
    backlog.add(bucket);
    backlog.add(bucket);
    EXPECT_TRUE(backlog.holds(bucket) && !backlog.holds(next));
    EXPECT_EQ(backlog.records(), 2U);
    backlog.remove(bucket);
    EXPECT_TRUE(backlog.holds(bucket));
    backlog.remove(bucket);
    EXPECT_FALSE(backlog.holds(bucket));
    EXPECT_EQ(backlog.records(), 0U);
}

TEST(BacklogTest, HoldsEverythingBeforeItHasCounted) {
    Backlog backlog;
    EXPECT_TRUE(backlog.holds(0));
    backlog.counted();
    EXPECT_FALSE(backlog.holds(0));
}

}  // namespace
}  // namespace sluice::spill
