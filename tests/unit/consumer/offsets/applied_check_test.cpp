#include <gtest/gtest.h>

#include "consumer/offsets/partitions.hpp"

/// What the check of one partition comes to; PartitionsTest has what it is asked.
namespace sluice::consumer {
namespace {

TEST(AppliedCheck, ComparesWhatMySqlHoldsWithWhatIsBelieved) {
    const ToCheck committed{.partition = 0, .generation = 1, .known = 100, .log_start = 0, .had_row = true};
    EXPECT_EQ(check_applied(committed, 100), AppliedCheck::good);
    EXPECT_EQ(check_applied(committed, 120), AppliedCheck::good);
    EXPECT_EQ(check_applied(committed, 99), AppliedCheck::behind);
    EXPECT_EQ(check_applied(committed, std::nullopt), AppliedCheck::unknown);
}

TEST(AppliedCheck, AFreshGroupNeedsNoRow) {
    const ToCheck fresh{.partition = 0, .generation = 1, .known = 5, .log_start = 5, .had_row = false};
    EXPECT_EQ(check_applied(fresh, std::nullopt), AppliedCheck::good);
}

TEST(AppliedCheck, NothingCanBeReadAgainBelowTheLogsStart) {
    const ToCheck truncated{.partition = 0, .generation = 1, .known = 50, .log_start = 50, .had_row = true};
    EXPECT_EQ(check_applied(truncated, std::nullopt), AppliedCheck::good);
}

TEST(AppliedCheck, AfterACutARowAboveAllThatWasReadIsOfBefore) {
    ToCheck cut{.partition = 0, .generation = 2, .known = 40, .log_start = 0, .had_row = true};
    EXPECT_EQ(check_applied(cut, 1000), AppliedCheck::good) << "not cut: another owner may be ahead";
    cut.read_since_cut = 45;
    EXPECT_EQ(check_applied(cut, 40), AppliedCheck::good);
    EXPECT_EQ(check_applied(cut, 45), AppliedCheck::good);
    EXPECT_EQ(check_applied(cut, 1000), AppliedCheck::lost) << "brought back by a fail-over";
    EXPECT_EQ(check_applied(cut, 39), AppliedCheck::lost) << "that, too, where the new log has outgrown it";
    EXPECT_EQ(check_applied(cut, std::nullopt), AppliedCheck::unknown);
}

TEST(AppliedCheck, AfterALostSessionWhatIsAboveTheAppliedOffsetsIsInDoubt) {
    ToCheck partition{.partition = 0, .generation = 2, .known = 40, .log_start = 0, .had_row = true};
    EXPECT_EQ(check_applied(partition, 40, Doubt::session_lost), AppliedCheck::good) << "there is nothing";
    partition.has_begun = true;
    EXPECT_EQ(check_applied(partition, 40, Doubt::none), AppliedCheck::good);
    EXPECT_EQ(check_applied(partition, 40, Doubt::session_lost), AppliedCheck::in_doubt);
    EXPECT_EQ(check_applied(partition, 40, Doubt::server_moved), AppliedCheck::in_doubt);
    EXPECT_EQ(check_applied(partition, 39, Doubt::session_lost), AppliedCheck::behind);
    EXPECT_EQ(check_applied(partition, std::nullopt, Doubt::session_lost), AppliedCheck::unknown);
}

TEST(AppliedCheck, OfALogThatWasCutNoRowIsBelievedOnAnotherServer) {
    const ToCheck cut{
        .partition = 0, .generation = 2, .known = 40, .log_start = 0, .had_row = true, .read_since_cut = 45};
    EXPECT_EQ(check_applied(cut, 42, Doubt::session_lost), AppliedCheck::good);
    EXPECT_EQ(check_applied(cut, 42, Doubt::server_moved), AppliedCheck::lost)
        << "also while nothing is handed out again after a seek back";
}

}  // namespace
}  // namespace sluice::consumer
