#include "ctl/event/show/applied.hpp"

#include <gtest/gtest.h>

namespace sluice::ctl {
namespace {

using store::InboxStatus;
using Kind = AppliedVerdict::Kind;

AppliedVerdict verdict_of(std::initializer_list<InboxStatus> statuses) {
    std::vector<store::InboxRow> rows;
    for (const auto status : statuses) {
        store::InboxRow row;
        row.event_id = "evt_1";
        row.status = status;
        row.error_class = "data";
        rows.push_back(row);
    }
    return applied_verdict("evt_1", rows);
}

TEST(AppliedVerdict, IsAppliedOnlyWhenItsEffectsAreCommitted) {
    const auto verdict = verdict_of({InboxStatus::done});
    EXPECT_EQ(verdict.kind, Kind::applied);
    EXPECT_TRUE(verdict.sentence.empty());
}

TEST(AppliedVerdict, IsOpenWhileItIsNotThere) {
    const auto verdict = verdict_of({});
    EXPECT_EQ(verdict.kind, Kind::open);
    EXPECT_EQ(verdict.sentence, "the inbox has no event evt_1");
}

TEST(AppliedVerdict, IsOpenWhileItWaits) {
    for (const auto status : {InboxStatus::retry, InboxStatus::deferred, InboxStatus::parked}) {
        const auto verdict = verdict_of({status});
        EXPECT_EQ(verdict.kind, Kind::open);
        EXPECT_TRUE(verdict.sentence.contains(store::name_of(status))) << verdict.sentence;
    }
}

TEST(AppliedVerdict, IsOverWhenOnlyAnOperatorCouldChangeIt) {
    for (const auto& [status, word] :
         {std::pair{InboxStatus::dead, "is dead (data)"}, std::pair{InboxStatus::ignored, "no effect"},
          std::pair{InboxStatus::skipped, "skipped"}}) {
        const auto verdict = verdict_of({status});
        EXPECT_EQ(verdict.kind, Kind::over);
        EXPECT_TRUE(verdict.sentence.contains(word)) << verdict.sentence;
    }
}

TEST(AppliedVerdict, IsThatOfTheWorstOfSeveral) {
    EXPECT_EQ(verdict_of({InboxStatus::done, InboxStatus::done}).kind, Kind::applied);
    EXPECT_EQ(verdict_of({InboxStatus::parked, InboxStatus::done}).kind, Kind::open);
    EXPECT_EQ(verdict_of({InboxStatus::done, InboxStatus::dead}).kind, Kind::over);
    EXPECT_EQ(verdict_of({InboxStatus::dead, InboxStatus::parked}).kind, Kind::over);
    EXPECT_EQ(verdict_of({InboxStatus::retry, InboxStatus::dead, InboxStatus::done}).kind, Kind::over);
}

}  // namespace
}  // namespace sluice::ctl
