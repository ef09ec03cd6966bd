#include "consumer/store/dead_letter/dead_letter_list.hpp"

#include <algorithm>

#include "consumer/store/lane/lane.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using Ids = std::vector<std::int64_t>;

/// Four entries, ids 1 to 4, opened a minute apart; 2 is closed.
class DeadLetterListTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open_migrated();
        dead_letter.object_key = "stripe/acct_main/pi_1";
        dead_letter.topic = "t";
        open_one("evt_a", "stripe-eu", "data", "Column 'wallet' cannot be null");
        open_one("evt_b", "stripe-eu", "data", "");
        dead_letter.kind = DeadLetterKind::conflict;
        open_one("evt_c", "adyen-live", "conflict", "another body under \xc3");
        dead_letter.object_key = "stripe/acct_main/pi_2";
        open_one("evt_d", "stripe-eu", "park", "no such Wallet: Größe");
        EXPECT_EQ(close_dead_letter(*connection, 2, ClosedAs::skipped, test_time), 1);
    }

    void open_one(std::string_view event_id, std::string_view source, std::string_view error_class,
                  std::string_view error_text) {
        dead_letter.event_id = event_id;
        dead_letter.source = source;
        dead_letter.type = source == "stripe-eu" ? "charge.failed" : "CAPTURE";
        dead_letter.error_class = error_class;
        dead_letter.error_text = error_text;
        now += std::chrono::minutes{1};
        ASSERT_TRUE(open_dead_letter(*connection, dead_letter, now));
    }

    Ids ids_of(const DeadLetterFilter& filter, std::int64_t limit = 10, std::int64_t after = 0) {
        Ids ids;
        const auto dead_letters = list_dead_letters(*connection, filter, limit, after);
        EXPECT_TRUE(dead_letters) << connection->last_error().message;
        for (const auto& row : *dead_letters) ids.push_back(row.id);
        return ids;
    }

    std::unique_ptr<Connection> connection;
    DeadLetter dead_letter;
    WallTime now = test_time;
};

TEST_F(DeadLetterListTest, ShowsWhatANewerReleaseWrote) {
    run(*connection,
        "ALTER TABLE dead_letter MODIFY kind VARCHAR(32) NOT NULL, MODIFY closed_as VARCHAR(32) NULL");
    run(*connection, "UPDATE dead_letter SET kind = 'refunded' WHERE id = 1");
    run(*connection, "UPDATE dead_letter SET closed_as = 'merged' WHERE id = 2");
    const auto dead_letters =
        list_dead_letters(*connection, {.which = DeadLetterFilter::Which::any}, 10).value();
    EXPECT_EQ(dead_letters.at(0).kind, DeadLetterKind::newer);
    EXPECT_EQ(dead_letters.at(1).closed_as, ClosedAs::newer);
    EXPECT_EQ(dead_letters.at(2).kind, DeadLetterKind::conflict);
    EXPECT_TRUE(std::ranges::contains(count_dead_letters(*connection, {}).value(), DeadLetterKind::newer,
                                      &DeadLetterCount::kind));
}

TEST_F(DeadLetterListTest, FindsEntriesByTheNumbersOfTheirPayment) {
    dead_letter.reference = "O-17";
    dead_letter.transaction = "T-1";
    open_one("evt_e", "stripe-eu", "park", "");
    dead_letter.reference = "O-170";
    dead_letter.transaction = "";
    open_one("evt_f", "stripe-eu", "park", "");
    EXPECT_EQ(ids_of({.numbers = {.reference = "O-17"}}), (Ids{5}));
    EXPECT_EQ(ids_of({.numbers = {.transaction = "T-1"}}), (Ids{5}));
    EXPECT_EQ(ids_of({.numbers = {.reference = "O-170"}}), (Ids{6}));
    EXPECT_EQ(ids_of({.numbers = {.reference = "O-170", .transaction = "T-1"}}), Ids{});
    EXPECT_EQ(ids_of({.numbers = {.reference = "o-17"}}), Ids{}) << "byte for byte";
    EXPECT_EQ(count_dead_letters(*connection, {.numbers = {.reference = "O-17"}}).value().at(0).count, 1);
    const auto row = find_dead_letter(*connection, 5).value().value();
    EXPECT_EQ(row.reference + row.transaction, "O-17T-1");
    EXPECT_EQ(find_dead_letter(*connection, 1).value()->reference, "");
}

TEST_F(DeadLetterListTest, GoesThroughWhatIsOpenPageByPage) {
    EXPECT_EQ(ids_of({}), (Ids{1, 3, 4}));
    EXPECT_EQ(ids_of({}, 2), (Ids{1, 3}));
    EXPECT_EQ(ids_of({}, 2, 3), (Ids{4}));
    EXPECT_EQ(ids_of({.which = DeadLetterFilter::Which::closed}), (Ids{2}));
    EXPECT_EQ(ids_of({.which = DeadLetterFilter::Which::any}), (Ids{1, 2, 3, 4}));
    EXPECT_EQ(ids_of({.highest_id = 3}), (Ids{1, 3}));
    EXPECT_EQ(newest_dead_letter(*connection), 4);
}

TEST_F(DeadLetterListTest, IsNarrowedByEachFilterAndByAllOfThem) {
    EXPECT_EQ(ids_of({.kind = DeadLetterKind::conflict}), (Ids{3, 4}));
    EXPECT_EQ(ids_of({.source = "stripe-eu"}), (Ids{1, 4}));
    EXPECT_EQ(ids_of({.type = "CAPTURE"}), (Ids{3}));
    EXPECT_EQ(ids_of({.object_key = "stripe/acct_main/pi_2"}), (Ids{4}));
    EXPECT_EQ(ids_of({.error_class = "data"}), (Ids{1}));
    EXPECT_EQ(ids_of({.event_id = "evt_d"}), (Ids{4}));
    EXPECT_EQ(ids_of({.since = test_time + std::chrono::minutes{3}}), (Ids{3, 4}));
    EXPECT_EQ(ids_of({.until = test_time + std::chrono::minutes{3}}), (Ids{1}));
    EXPECT_EQ(ids_of({.source = "stripe-eu", .error_class = "park", .text = "such"}), (Ids{4}));
    EXPECT_EQ(ids_of({.source = "stripe-EU"}), Ids{});
}

TEST_F(DeadLetterListTest, FindsTextOfAnyCaseInErrorsAndEventIds) {
    EXPECT_EQ(ids_of({.text = "WALLET"}), (Ids{1, 4}));
    EXPECT_EQ(ids_of({.text = "Evt_C"}), (Ids{3}));
    EXPECT_EQ(ids_of({.text = "under \xc3"}), (Ids{3})) << "an error's text may be cut within a character";
    EXPECT_EQ(ids_of({.text = "größe"}), (Ids{4}));
    EXPECT_EQ(ids_of({.text = "%"}), Ids{}) << "no pattern";
    EXPECT_EQ(ids_of({.text = "' OR 1=1 --"}), Ids{});
}

TEST_F(DeadLetterListTest, CountsWhatTheFilterTakes) {
    const auto counts = count_dead_letters(*connection, {.source = "stripe-eu"}).value();
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].error_class, "data");
    EXPECT_EQ(counts[0].kind, DeadLetterKind::dead);
    EXPECT_EQ(counts[0].count, 1);
    EXPECT_EQ(counts[0].oldest, test_time + std::chrono::minutes{1});
    EXPECT_EQ(counts[1].error_class, "park");
    EXPECT_TRUE(count_dead_letters(*connection, {.source = "nobody"}).value().empty());
}

TEST_F(DeadLetterListTest, SaysWhatWaitsBehindAnEntry) {
    auto lane = make_lane(*connection, "object", test_time).value();
    for (const int position : {1, 2, 3}) {
        const LaneRow row{.row = {.position = position, .first_failed_at = {}}, .effects = {}};
        const LaneRecord record{.inbox = {},
                                .topic = "t",
                                .appended_at = test_time + std::chrono::hours{position},
                                .headers = "",
                                .body = ""};
        ASSERT_TRUE(append_event(*connection, lane, row, record));
    }
    const auto waiting = waiting_behind(*connection, {lane.key, 1}).value();
    EXPECT_EQ(waiting.count, 2);
    EXPECT_EQ(waiting.since, test_time + std::chrono::hours{2});
    EXPECT_EQ(waiting_behind(*connection, {lane.key, 3}).value().since, std::nullopt);
}

}  // namespace
}  // namespace sluice::store
