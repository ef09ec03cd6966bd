#include <string>

#include "consumer/store/outbox/outbox.hpp"
#include "consumer/store/outbox/outbox_list.hpp"
#include "tests/unit/consumer/store/server/events.hpp"
#include "tests/unit/consumer/store/server/plans.hpp"

namespace sluice::store {
namespace {

/// 10,000 messages that were sent, 10,000 that wait for `mail`, as many for `topic`.
class OutboxPlansTest : public PlansTest {
protected:
    void SetUp() override {
        PlansTest::SetUp();
        for (const std::string destination : {"mail", "topic"}) fill(destination, "");
        fill("mail",
             ", slot = NULL, state = 'sent', finished_at = TIMESTAMP('2026-11-21') + INTERVAL id SECOND");
        run(*connection, "ANALYZE TABLE outbox");
    }

    void fill(const std::string& destination, const std::string& change) {
        run(*connection,
            "INSERT INTO outbox (destination, message_key, idempotency_key, body, effect, source, event_id,"
            " event_type, event_day, dedup_key) SELECT '" +
                destination +
                "', n DIV 4, UNHEX(SHA2(n, 256)), REPEAT('b', 2000), 'e', 's', n, 't', '2026-11-21'," +
                " UNHEX(SHA2(n, 256))" + ten_thousand);
        if (!change.empty())
            run(*connection, "UPDATE outbox SET attempts = 1" + change + " ORDER BY id DESC LIMIT 10000");
    }
};

TEST_F(OutboxPlansTest, ARelayLooksForWorkWithOneReadPerSlot) {
    EXPECT_LE(reads_of([&] { return busy_slots(*connection, "mail").value().size() == outbox_slots; }), 60);
    EXPECT_LE(reads_of([&] { return busy_slots(*connection, "nobody").value().empty(); }), 60);
}

TEST_F(OutboxPlansTest, APageOfASlotReadsThatPage) {
    const auto page = [&](std::int64_t after) {
        return [this, after] {
            return unfinished_messages(*connection, {.destination = "mail", .number = 3}, after)
                       .value()
                       .size() == outbox_batch;
        };
    };
    EXPECT_LE(reads_of(page(0)), 2 * outbox_batch + 10);
    EXPECT_LE(reads_of(page(3000)), 2 * outbox_batch + 10);
}

TEST_F(OutboxPlansTest, BodiesAndMarksReadTheirRows) {
    auto messages = unfinished_messages(*connection, {.destination = "topic", .number = 5}, 0).value();
    std::vector<OutboxMessage*> some;
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < 64; ++i) {
        some.push_back(&messages[i]);
        ids.push_back(messages[i].id);
    }
    const auto bodies = [&] {
        for (auto* message : some) message->has_body = false;
        return read_bodies(*connection, some).has_value();
    };
    EXPECT_GE(reads_of(bodies), 64);
    EXPECT_LE(reads_of(bodies), 140);
    for (const auto* message : some) EXPECT_EQ(message->body, std::string(2000, 'b'));
    EXPECT_LE(reads_of([&] { return mark_sent(*connection, ids).has_value(); }), 140);
}

TEST_F(OutboxPlansTest, SmallBodiesComeWithTheirPage) {
    run(*connection,
        "UPDATE outbox SET body = REPEAT('s', 1024) WHERE destination = 'topic' AND slot = 5 LIMIT 10");
    auto messages = unfinished_messages(*connection, {.destination = "topic", .number = 5}, 0).value();
    std::vector<OutboxMessage*> small;
    for (auto& message : messages) {
        if (message.has_body) small.push_back(&message);
    }
    ASSERT_EQ(small.size(), 10);
    EXPECT_EQ(small.front()->body, std::string(1024, 's'));
    EXPECT_EQ(reads_of([&] { return read_bodies(*connection, small).has_value(); }), 0);
    std::vector<OutboxMessage*> all;
    for (auto& message : messages) all.push_back(&message);
    ASSERT_TRUE(read_bodies(*connection, all).has_value());
    for (const auto* message : all) EXPECT_EQ(message->body.size(), message->size);
}

TEST_F(OutboxPlansTest, OldOnesAreFoundByTheirEnd) {
    const WallTime cutoff = test_day + std::chrono::days{30};
    EXPECT_LE(reads_of([&] { return delete_finished(*connection, cutoff).value() == outbox_batch; }),
              2 * outbox_batch + 20);
    EXPECT_LE(reads_of([&] { return delete_finished(*connection, test_day).value() == 0; }), 10);
}

TEST_F(OutboxPlansTest, AnEventsMessagesAreFoundByItsKey) {
    const InboxKey event{.event_day = test_day, .dedup_key = crypto::sha256("7")};
    EXPECT_LE(reads_of([&] { return messages_of(*connection, event).value().size() == 3; }), 12);
}

TEST_F(OutboxPlansTest, AListOfWhatWaitsReadsNothingThatWasSent) {
    run(*connection,
        "UPDATE outbox SET slot = NULL, state = 'sent' WHERE slot <> 3 OR destination <> 'mail'");
    run(*connection, "ANALYZE TABLE outbox");
    const auto waiting = number(*connection, "SELECT COUNT(*) FROM outbox WHERE slot IS NOT NULL");
    EXPECT_LE(reads_of([&] { return list_messages(*connection, {}, 20).value().size() == 20; }),
              3 * waiting + 60);
    EXPECT_LE(reads_of([&] { return count_messages(*connection, {}).value().size() == 1; }),
              3 * waiting + 20);
}

}  // namespace
}  // namespace sluice::store
