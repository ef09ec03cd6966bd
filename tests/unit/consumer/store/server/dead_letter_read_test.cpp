#include "consumer/store/dead_letter/dead_letter_read.hpp"

#include "consumer/store/lane/lane.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using DeadLetterReadTest = ServerTest;

constexpr std::string_view any_bytes{"\0\xff'\n", 4};

DeadLetter full_dead_letter() {
    DeadLetter dead_letter;
    dead_letter.kind = DeadLetterKind::conflict;
    dead_letter.object_key = "stripe/acct_main/pi_1";
    dead_letter.source = "stripe-eu";
    dead_letter.type = "payment_intent.succeeded";
    dead_letter.event_id = "evt_1";
    dead_letter.inbox = key_of(1);
    dead_letter.content_digest = crypto::sha256("content");
    dead_letter.error_class = "conflict";
    dead_letter.error_text = "another body under the same id";
    dead_letter.attempts = 3;
    dead_letter.first_failed_at = test_time;
    dead_letter.topic = "payments.webhooks.v1";
    dead_letter.partition = 7;
    dead_letter.offset = 5'000'000'000;
    dead_letter.record = {crypto::sha256("seen"), any_bytes, any_bytes};
    return dead_letter;
}

TEST_F(DeadLetterReadTest, ReadsEveryColumnAsItWasWritten) {
    const auto connection = open_migrated();
    const auto id = open_dead_letter(*connection, full_dead_letter(), test_time).value().value();
    const auto row = find_dead_letter(*connection, id).value().value();
    EXPECT_EQ(row.id, id);
    EXPECT_EQ(row.kind, DeadLetterKind::conflict);
    EXPECT_FALSE(row.place);
    EXPECT_EQ(row.object_key, "stripe/acct_main/pi_1");
    EXPECT_EQ(row.source, "stripe-eu");
    EXPECT_EQ(row.type, "payment_intent.succeeded");
    EXPECT_EQ(row.event_id, "evt_1");
    EXPECT_EQ(row.inbox, key_of(1));
    EXPECT_EQ(row.content_digest, crypto::sha256("content"));
    EXPECT_EQ(row.error_class, "conflict");
    EXPECT_EQ(row.error_text, "another body under the same id");
    EXPECT_EQ(row.attempts, 3);
    EXPECT_EQ(row.first_failed_at, test_time);
    EXPECT_EQ(row.topic, "payments.webhooks.v1");
    EXPECT_EQ(row.partition, 7);
    EXPECT_EQ(row.offset, 5'000'000'000);
    EXPECT_EQ(row.seen_once, crypto::sha256("seen"));
    EXPECT_FALSE(row.dlq_sent);
    EXPECT_EQ(row.opened_at, test_time);
    EXPECT_TRUE(row.is_open());
    EXPECT_FALSE(row.closed_as);
    EXPECT_EQ(row.headers, any_bytes);
    EXPECT_EQ(row.body, any_bytes);
}

TEST_F(DeadLetterReadTest, ReadsADeathWhoseRecordTheLaneHas) {
    const auto connection = open_migrated();
    auto death = full_dead_letter();
    death.kind = DeadLetterKind::dead;
    death.place = {lane_key_of("object"), 4};
    death.record.reset();
    death.content_digest.reset();
    const auto id = open_dead_letter(*connection, death, test_time).value().value();
    ASSERT_EQ(mark_dead_letter_sent(*connection, id), true);
    ASSERT_EQ(close_dead_letter(*connection, id, ClosedAs::superseded, test_time), 1);
    const auto row = find_dead_letter(*connection, id).value().value();
    ASSERT_TRUE(row.place);
    EXPECT_EQ(row.place->lane, lane_key_of("object"));
    EXPECT_EQ(row.place->position, 4);
    EXPECT_TRUE(row.dlq_sent);
    EXPECT_EQ(row.closed_at, test_time);
    EXPECT_EQ(row.closed_as, ClosedAs::superseded);
    EXPECT_FALSE(row.content_digest || row.seen_once || row.headers || row.body);
}

TEST_F(DeadLetterReadTest, FindsTheEntryOfARecord) {
    const auto connection = open_migrated();
    const auto id = open_dead_letter(*connection, full_dead_letter(), test_time).value().value();
    EXPECT_EQ(find_dead_letter_of_record(*connection, crypto::sha256("seen")).value().value().id, id);
    EXPECT_FALSE(find_dead_letter_of_record(*connection, crypto::sha256("another")).value());
    EXPECT_FALSE(find_dead_letter(*connection, id + 1).value());
}

}  // namespace
}  // namespace sluice::store
