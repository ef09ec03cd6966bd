#include "ctl/redact/readable_body.hpp"

#include <gtest/gtest.h>

#include "common/redact/payload.hpp"
#include "proto/payment_event.pb.h"

namespace sluice::ctl {
namespace {

TEST(ReadableBody, ShowsAPaymentEventAsJson) {
    v1::PaymentEvent event;
    event.set_event_id("evt_1");
    event.set_dedup_key(std::string(2, '\xab'));
    event.mutable_payment()->set_amount(8888);
    event.set_body(R"({"card": "4242424242424242"})");
    const auto text = readable_body(event.SerializeAsString());
    EXPECT_EQ(text, R"({"event_id":"evt_1","dedup_key":"abab","body":{"card":"4242424242424242"},)"
                    R"("payment":{"amount":"8888"}})");
    EXPECT_FALSE(redact::masked_body(text).contains("424242424"));
}

TEST(ReadableBody, HidesNoCardInABodyThatIsNoJson) {
    v1::PaymentEvent event;
    event.set_event_id("evt_1");
    event.set_body("card=4242424242424242&\xff");
    const auto text = redact::masked_body(readable_body(event.SerializeAsString()));
    EXPECT_TRUE(text.contains("card=")) << text;
    EXPECT_FALSE(text.contains("424242424")) << text;
}

TEST(ReadableBody, LeavesAllElseAsItIs) {
    for (const std::string body : {"{\"a\":1}", "{", "", "\x0a\xff", "text"})
        EXPECT_EQ(readable_body(body), body);
}

}  // namespace
}  // namespace sluice::ctl
