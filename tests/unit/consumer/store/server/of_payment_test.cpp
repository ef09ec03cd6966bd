#include "consumer/store/inbox/of_payment.hpp"

#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using OfPaymentTest = ServerTest;

std::vector<std::string> found_by(Connection& connection, const NumbersAsked& asked,
                                  std::int64_t limit = 10) {
    std::vector<std::string> ids;
    const auto rows = events_of_payment(connection, asked, limit);
    EXPECT_TRUE(rows) << connection.last_error().message;
    for (const auto& row : *rows) ids.push_back(row.event_id);
    return ids;
}

TEST_F(OfPaymentTest, FindsTheEventsOfAPaymentOnAnyDayTheNewestLast) {
    using Ids = std::vector<std::string>;
    const auto connection = open_migrated();
    std::vector<InboxEntry> entries;
    for (const int number : {1, 2, 3, 4}) {
        entries.push_back(entry_of(number));
        entries.back().received_at -= std::chrono::hours{number};
        entries.back().reference = number == 4 ? "O-170" : "O-17";
        entries.back().transaction = number == 2 ? "T-2" : "";
    }
    entries[0].key.event_day = record::undated;
    ASSERT_TRUE(insert(*connection, entries)) << connection->last_error().message;
    EXPECT_EQ(found_by(*connection, {.reference = "O-17"}), (Ids{"evt_3", "evt_2", "evt_1"}));
    EXPECT_EQ(found_by(*connection, {.reference = "O-17"}, 2), (Ids{"evt_2", "evt_1"})) << "the newest ones";
    EXPECT_EQ(found_by(*connection, {.transaction = "T-2"}), Ids{"evt_2"});
    EXPECT_EQ(found_by(*connection, {.reference = "O-170", .transaction = "T-2"}), Ids{});
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM inbox WHERE transaction IS NULL"), 3);
}

TEST_F(OfPaymentTest, AnEditedEventIsFoundByTheNewNumbersAndByOldOnesThatItHasNoMore) {
    const auto connection = open_migrated();
    auto entry = entry_of(1);
    entry.status = InboxStatus::retry;
    entry.reference = "O-16";
    entry.transaction = "T-1";
    ASSERT_TRUE(insert(*connection, {&entry, 1}));
    ASSERT_TRUE(write_numbers(*connection, entry.key, "O-17", ""));
    EXPECT_EQ(found_by(*connection, {.reference = "O-17", .transaction = "T-1"}).size(), 1U);
    EXPECT_TRUE(found_by(*connection, {.reference = "O-16"}).empty());
    ASSERT_TRUE(change_unfinished(*connection, entry.key, {.status = InboxStatus::done}));
    EXPECT_FALSE(write_numbers(*connection, entry.key, "O-18", "")) << "what is finished stays";
}

}  // namespace
}  // namespace sluice::store
