#include "proto/payment_event.pb.h"

#include <string>

#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include "tests/unit/proto/descriptor_text.hpp"

namespace sluice::v1 {
namespace {

using google::protobuf::util::MessageDifferencer;

PaymentEvent sample() {
    PaymentEvent event;
    event.set_event_id("evt_1");
    event.set_provider("stripe");
    event.set_principal("acct_main");
    event.set_livemode(true);
    event.set_source("stripe-eu");
    event.set_type("payment_intent.succeeded");
    event.set_object("pi_1");
    event.mutable_occurred_at()->set_seconds(1'795'287'802);
    event.mutable_received_at()->set_seconds(1'795'287'803);
    event.mutable_received_at()->set_nanos(123'456'000);
    event.mutable_record()->set_topic("payments.webhooks.v1");
    event.mutable_record()->set_partition(11);
    event.mutable_record()->set_offset(9'007'199'254'740'993);
    event.mutable_record()->set_topic_id("Zr5v0Qm2R4uQ0w");
    event.set_content_digest(std::string(32, '\xff'));
    event.set_dedup_key(std::string(32, '\0'));
    event.set_body(std::string("{\"id\":\"evt_1\"}\n\0", 16));
    event.set_content_type("application/json");
    return event;
}

TEST(PaymentEvent, GoesThereAndBack) {
    PaymentEvent back;
    ASSERT_TRUE(back.ParseFromString(sample().SerializeAsString()));
    EXPECT_TRUE(MessageDifferencer::Equals(back, sample()));
    EXPECT_EQ(back.record().offset(), 9'007'199'254'740'993);
    EXPECT_EQ(back.body().size(), 16U);
}

TEST(PaymentEvent, BodyThatIsAbsentIsNotEmpty) {
    auto event = sample();
    event.clear_body();
    PaymentEvent without;
    ASSERT_TRUE(without.ParseFromString(event.SerializeAsString()));
    EXPECT_FALSE(without.has_body());
    event.set_body("");
    PaymentEvent empty;
    ASSERT_TRUE(empty.ParseFromString(event.SerializeAsString()));
    EXPECT_TRUE(empty.has_body());
}

TEST(PaymentEvent, KeepsFieldsOfALaterVersion) {
    const auto written = sample().SerializeAsString() + from_the_future;
    PaymentEvent event;
    ASSERT_TRUE(event.ParseFromString(written));
    event.set_source("another");
    const auto passed_on = event.SerializeAsString();
    EXPECT_TRUE(passed_on.ends_with(from_the_future));
    PaymentEvent again;
    ASSERT_TRUE(again.ParseFromString(passed_on));
    EXPECT_EQ(again.source(), "another");
    EXPECT_EQ(again.event_id(), "evt_1");
}

// Field numbers are the wire format: a change here breaks readers of older records.
TEST(PaymentEvent, FieldNumbersNeverChange) {
    const std::map<int, std::string> expected{
        {1, "string event_id"},       {2, "string provider"},
        {3, "string principal"},      {4, "bool livemode"},
        {5, "string source"},         {6, "string type"},
        {7, "string object"},         {8, "Timestamp occurred_at"},
        {9, "Timestamp received_at"}, {11, "RecordCoordinates record"},
        {12, "bytes content_digest"}, {13, "bytes dedup_key"},
        {14, "bytes body"},           {15, "string content_type"},
        {16, "PaymentFacts payment"},
    };
    EXPECT_EQ(fields_of(*PaymentEvent::descriptor()), expected);
    const std::map<int, std::string> coordinates{
        {1, "string topic"}, {2, "int32 partition"}, {3, "int64 offset"}, {4, "string topic_id"}};
    EXPECT_EQ(fields_of(*RecordCoordinates::descriptor()), coordinates);
    const std::map<int, std::string> facts{
        {1, "string kind"},     {2, "string reference"},  {3, "string transaction"},
        {4, "string refund"},   {5, "int64 amount"},      {6, "int64 refunded_total"},
        {7, "string currency"}, {8, "Timestamp paid_at"}, {9, "string payer"}};
    EXPECT_EQ(fields_of(*PaymentFacts::descriptor()), facts);
    EXPECT_TRUE(PaymentEvent::descriptor()->IsReservedNumber(10)) << "applied_at, which nothing ever wrote";
    EXPECT_EQ(PaymentEvent::descriptor()->full_name(), "sluice.v1.PaymentEvent");
}

}  // namespace
}  // namespace sluice::v1
