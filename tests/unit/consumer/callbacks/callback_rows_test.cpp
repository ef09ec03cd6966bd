#include "consumer/callbacks/callback_rows.hpp"

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"

namespace sluice::consumer {
namespace {

using store::CallbackPlace;

constexpr std::string_view hex = "0123456789abcdef0123456789abcdef";

v1::Callback callback(const std::string& verdict, std::string_view event = {}) {
    v1::Callback one;
    one.mutable_received_at()->set_seconds(1'796'000'000);
    one.mutable_received_at()->set_nanos(7'999);
    one.set_source("eu");
    one.set_verdict(verdict);
    one.set_status(200);
    one.set_client("192.0.2.1");
    one.set_requests(1);
    one.set_trace(std::string{hex});
    one.set_body("{}");
    if (event.empty()) return one;
    one.set_event_id(std::string{event});
    one.set_dedup_key(std::string{crypto::as_text(crypto::sha256(event))});
    one.set_event_day(20'000);
    return one;
}

/// The value of a record and the record, together.
struct Batch {
    explicit Batch(std::initializer_list<v1::Callback> callbacks) {
        v1::CallbackBatch batch;
        for (const auto& one : callbacks) *batch.add_callbacks() = one;
        bytes = batch.SerializeAsString();
        record.value = bytes;
        record.at = {.partition = 2, .offset = 17};
    }
    std::string bytes;
    Record record;
};

TEST(CallbackRows, HaveThePlaceOfTheirRecord) {
    const Batch batch{callback("duplicate", "evt_1"), callback("refused_signature")};
    CallbackRows rows;
    ASSERT_TRUE(rows.add_batch(batch.record));
    ASSERT_EQ(rows.entries().size(), 2);
    const store::CallbackEntry& first = rows.entries()[0];
    EXPECT_EQ(first.place.log, CallbackPlace::Log::callbacks);
    EXPECT_EQ(first.place.partition, 2);
    EXPECT_EQ(first.place.offset, 17);
    EXPECT_EQ(first.place.number, 0);
    EXPECT_EQ(rows.entries()[1].place.number, 1);
    EXPECT_EQ(first.received_at,
              WallTime{std::chrono::seconds{1'796'000'000} + std::chrono::microseconds{7}});
    EXPECT_EQ(first.trace, *crypto::from_hex(hex));
    EXPECT_EQ(first.event->id, "evt_1");
    EXPECT_EQ(first.event->day, std::chrono::sys_days{std::chrono::days{20'000}});
    EXPECT_FALSE(rows.entries()[1].event);
}

TEST(CallbackRows, OfManyRequestsSayNothingOfOne) {
    v1::Callback many = callback("refused_signature");
    many.set_requests(40);
    many.set_status(0);
    const Batch batch{many};
    CallbackRows rows;
    ASSERT_TRUE(rows.add_batch(batch.record));
    EXPECT_EQ(rows.entries()[0].requests, 40);
    EXPECT_FALSE(rows.entries()[0].body);
    EXPECT_FALSE(rows.entries()[0].body_size);
    EXPECT_FALSE(rows.entries()[0].status);
}

TEST(CallbackRows, KeepTheRequestOfAnEventsFirstDuplicate) {
    const Batch batch{callback("duplicate", "evt_1"), callback("duplicate", "evt_1"),
                      callback("duplicate", "evt_2"), callback("refused_signature")};
    CallbackRows rows;
    ASSERT_TRUE(rows.add_batch(batch.record));
    EXPECT_EQ(rows.duplicated().size(), 2);
    rows.mask_all_but({crypto::sha256("evt_2")});
    EXPECT_TRUE(rows.entries()[0].body);
    EXPECT_FALSE(rows.entries()[1].body);
    EXPECT_FALSE(rows.entries()[2].body) << "the table has one already";
    EXPECT_TRUE(rows.entries()[3].body);
}

TEST(CallbackRows, MaskWhatTheyKeep) {
    v1::Callback one = callback("refused_signature");
    one.set_body(R"({"card":"4111111111111111","password":"hunter2"})");
    auto& header = *one.add_headers();
    header.set_name("authorization");
    header.set_value("Basic aHVudGVyMg==");
    const Batch batch{one};
    CallbackRows rows;
    ASSERT_TRUE(rows.add_batch(batch.record));
    rows.mask_all_but({});
    EXPECT_EQ(rows.entries()[0].body, R"({"card":"411111******1111","password":"***"})");
    EXPECT_EQ(rows.entries()[0].headers, R"([["authorization","***"]])");
}

TEST(CallbackRows, KnowABodyWithoutTheIdOfItsEvent) {
    const auto hash_of = [](const std::string& id, const std::string& principal, const std::string& body) {
        record::EventHeaders event;
        event.source = "eu";
        event.provider = "stripe";
        event.principal = principal;
        event.event_id = id;
        event.type = "charge.refunded";
        event.traceparent = "00-" + std::string{hex} + "-00f067aa0ba902b7-01";
        record::EncodedHeaders encoded{HeaderForm::packed};
        const auto headers = encoded.encode(event);
        Record record;
        record.value = body;
        record.headers.assign(headers.begin(), headers.end());
        CallbackRows rows;
        EXPECT_TRUE(rows.add_event(record, {}));
        return rows.entries()[0].event->body_hash;
    };
    const auto first = hash_of("evt_1234", "acct", R"({"id":"evt_1234","amount":12})");
    EXPECT_EQ(first, hash_of("evt_5678", "acct", R"({"id":"evt_5678","amount":12})"));
    EXPECT_NE(first, hash_of("evt_5678", "acct", R"({"id":"evt_5678","amount":13})"));
    EXPECT_NE(first, hash_of("evt_5678", "other", R"({"id":"evt_5678","amount":12})"));
    EXPECT_FALSE(hash_of("1", "acct", R"({"id":1,"amount":12})"))
        << "a short id may be anything else's digits";
}

TEST(CallbackRows, RefuseWhatIsNoBatch) {
    Record record;
    record.value = "no protobuf";
    CallbackRows rows;
    EXPECT_FALSE(rows.add_batch(record));
    EXPECT_FALSE(rows.add_event(record, {}));
    EXPECT_TRUE(rows.entries().empty());
}

TEST(CallbackRows, OfTheWebhookTopicAreAcceptedOrPolled) {
    record::EventHeaders event;
    event.source = "eu";
    event.provider = "stripe";
    event.principal = "acct";
    event.event_id = "evt_12345";
    event.type = "charge.refunded";
    event.traceparent = "00-" + std::string{hex} + "-00f067aa0ba902b7-01";
    event.client = "192.0.2.1";
    CallbackRows rows;
    for (const auto* trust : {"", "api"}) {
        event.trust = trust;
        record::EncodedHeaders encoded{HeaderForm::packed};
        const auto headers = encoded.encode(event);
        Record record;
        record.key = "stripe/acct/pi_1";
        record.value = "{}";
        record.headers.assign(headers.begin(), headers.end());
        ASSERT_TRUE(rows.add_event(record, {}));
    }
    const store::CallbackEntry& accepted = rows.entries()[0];
    EXPECT_EQ(accepted.verdict, "accepted");
    EXPECT_EQ(accepted.client, "192.0.2.1");
    EXPECT_EQ(accepted.trace, *crypto::from_hex(hex));
    EXPECT_EQ(accepted.body_size, 2);
    EXPECT_FALSE(accepted.body) << "event_payload has it";
    EXPECT_EQ(accepted.event->object_key, "stripe/acct/pi_1");
    EXPECT_EQ(rows.entries()[1].verdict, "polled");
    EXPECT_TRUE(accepted.event->body_hash);
    EXPECT_FALSE(rows.entries()[1].event->body_hash);
}

}  // namespace
}  // namespace sluice::consumer
