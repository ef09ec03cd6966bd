#include "consumer/store/inbox/past_events.hpp"

#include "consumer/store/inbox/payload.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using PastEventsTest = ServerTest;

std::vector<std::string> ids_of(Connection& connection, const PastFilter& filter) {
    std::vector<std::string> ids;
    for (std::optional<InboxKey> after{first_key}; after;) {
        const auto page = past_events(connection, filter, *after);
        EXPECT_TRUE(page) << connection.last_error().message;
        if (!page) return {};
        for (const auto& event : page->events) ids.push_back(event.row.event_id);
        after = page->next;
    }
    std::ranges::sort(ids);
    return ids;
}

TEST_F(PastEventsTest, AreFinishedOnesOfTheFilterWithTheirHeaders) {
    const auto connection = open_migrated();
    std::vector<InboxEntry> entries;
    for (int number = 1; number <= 5; ++number) entries.push_back(entry_of(number));
    entries[0].key.event_day = record::undated;
    entries[1].status = InboxStatus::ignored;
    entries[2].status = InboxStatus::dead;
    entries[3].status = InboxStatus::rerun;
    entries[4].type = "refunded";
    entries[4].received_at += std::chrono::hours{1};
    ASSERT_TRUE(insert(*connection, entries)) << connection->last_error().message;
    using Ids = std::vector<std::string>;
    EXPECT_EQ(ids_of(*connection, {}), (Ids{"evt_1", "evt_2", "evt_5"}));
    EXPECT_EQ(ids_of(*connection, {.status = InboxStatus::ignored}), Ids{"evt_2"});
    EXPECT_EQ(ids_of(*connection, {.type = "refunded"}), Ids{"evt_5"});
    EXPECT_EQ(ids_of(*connection, {.source = "elsewhere"}), Ids{});
    EXPECT_EQ(ids_of(*connection, {.object_key = "stripe/acct_main/pi_1"}), (Ids{"evt_1", "evt_2", "evt_5"}));
    EXPECT_EQ(ids_of(*connection, {.since = entries[4].received_at}), Ids{"evt_5"});
    EXPECT_EQ(ids_of(*connection, {.until = entries[4].received_at}), (Ids{"evt_1", "evt_2"}));

    const PayloadEntry payload{entries[0].key, "[]", "{}"};
    ASSERT_TRUE(insert_payloads(*connection, {&payload, 1}));
    EXPECT_EQ(past_event(*connection, entries[0].key).value()->headers, "[]");
    EXPECT_EQ(past_event(*connection, entries[1].key).value()->headers, std::nullopt);
    EXPECT_FALSE(past_event(*connection, key_of(9)).value());
}

TEST_F(PastEventsTest, AreReadInSteps) {
    const auto connection = open_migrated();
    std::vector<InboxEntry> entries;
    for (int number = 1; number <= 2500; ++number) {
        entries.push_back(entry_of(number));
        entries.back().type = number % 500 == 0 ? "rare" : "paid";
    }
    std::ranges::sort(entries, {}, &InboxEntry::key);
    ASSERT_TRUE(insert(*connection, entries)) << connection->last_error().message;
    EXPECT_EQ(ids_of(*connection, {}).size(), 2500U);
    EXPECT_EQ(ids_of(*connection, {.type = "rare"}).size(), 5U);
    const auto first = past_events(*connection, {}, {.event_day = test_day, .dedup_key = {}}).value();
    EXPECT_EQ(first.events.size(), 1000U) << "no statement reads more, whatever the filter";
    EXPECT_EQ(first.next, (InboxKey{test_day, first.events.back().row.key.dedup_key}));
}

}  // namespace
}  // namespace sluice::store
