#include "consumer/store/inbox/inbox_columns.hpp"

#include <gtest/gtest.h>

namespace sluice::store {
namespace {

TEST(InboxColumns, NameEachStatusAndFindItAgain) {
    for (const auto status : {InboxStatus::done, InboxStatus::ignored, InboxStatus::dead, InboxStatus::retry,
                              InboxStatus::deferred, InboxStatus::parked, InboxStatus::skipped}) {
        EXPECT_EQ(inbox_status_from(name_of(status)), status);
    }
    EXPECT_EQ(inbox_status_from("Done"), std::nullopt);
    EXPECT_EQ(inbox_status_from(""), std::nullopt);
}

TEST(InboxColumns, TellNoDebtFromAnOwedAndASentRecord) {
    EXPECT_EQ(dlq_column(nullptr), DlqRecord::none);
    EXPECT_EQ(dlq_column(std::int64_t{0}), DlqRecord::owed);
    EXPECT_EQ(dlq_column(std::int64_t{1}), DlqRecord::sent);
    EXPECT_EQ(dlq_datum(DlqRecord::none), Datum{nullptr});
    EXPECT_EQ(dlq_datum(DlqRecord::owed), Datum{std::int64_t{0}});
    EXPECT_EQ(dlq_datum(DlqRecord::sent), Datum{std::int64_t{1}});
}

TEST(InboxColumns, RefuseATableThatIsNotOurs) {
    EXPECT_THROW(static_cast<void>(digest_column(std::string{"short"})), std::runtime_error);
    EXPECT_EQ(status_column(std::string{"held_back"}), InboxStatus::newer);
}

}  // namespace
}  // namespace sluice::store
