#include "ingress/callbacks/callback_batch.hpp"

#include <array>

#include <gtest/gtest.h>

namespace sluice::callbacks {
namespace {

using namespace std::chrono_literals;

constexpr WallTime at{1'796'000'000s + 7us};

v1::CallbackBatch read(CallbackBatch& batch) {
    v1::CallbackBatch read;
    EXPECT_TRUE(read.ParseFromString(batch.take()));
    return read;
}

webhook::Extracted event() {
    webhook::Extracted event;
    event.headers.event_id = "evt_1";
    event.headers.type = "charge.refunded";
    event.headers.dedup_key = crypto::sha256("key");
    event.headers.event_day = std::chrono::sys_days{std::chrono::days{20'000}};
    event.ordering_key = "stripe/acct/pi_1";
    return event;
}

TEST(CallbackBatch, SaysAllThatIsKnown) {
    CallbackBatch batch;
    const webhook::Extracted known = event();
    const std::array headers{webhook::HeaderField{"Content-Type", "application/json"}};
    batch.add({.received_at = at,
               .source = "eu",
               .verdict = "duplicate",
               .reason = "why",
               .status = 200,
               .client = "192.0.2.1",
               .trace = "0123456789abcdef0123456789abcdef",
               .body_size = 17,
               .took = 350us,
               .event = &known,
               .headers = headers,
               .body = "{}"});
    const v1::CallbackBatch read_back = read(batch);
    ASSERT_EQ(read_back.callbacks_size(), 1);
    const v1::Callback& one = read_back.callbacks(0);
    EXPECT_EQ(one.received_at().seconds(), 1'796'000'000);
    EXPECT_EQ(one.received_at().nanos(), 7'000);
    EXPECT_EQ(one.source(), "eu");
    EXPECT_EQ(one.verdict(), "duplicate");
    EXPECT_EQ(one.reason(), "why");
    EXPECT_EQ(one.status(), 200);
    EXPECT_EQ(one.client(), "192.0.2.1");
    EXPECT_EQ(one.requests(), 1);
    EXPECT_EQ(one.trace(), "0123456789abcdef0123456789abcdef");
    EXPECT_EQ(one.body_size(), 17);
    EXPECT_EQ(one.took_us(), 350);
    EXPECT_EQ(one.event_id(), "evt_1");
    EXPECT_EQ(one.type(), "charge.refunded");
    EXPECT_EQ(one.ordering_key(), "stripe/acct/pi_1");
    EXPECT_EQ(one.dedup_key(), crypto::as_text(known.headers.dedup_key));
    EXPECT_EQ(one.event_day(), 20'000);
    ASSERT_EQ(one.headers_size(), 1);
    EXPECT_EQ(one.headers(0).name(), "content-type");
    EXPECT_EQ(one.headers(0).value(), "application/json");
    EXPECT_EQ(one.body(), "{}");
}

TEST(CallbackBatch, NothingOfTheOneBeforeStays) {
    CallbackBatch batch;
    const webhook::Extracted known = event();
    batch.add({.verdict = "duplicate", .event = &known, .body = "{}"});
    batch.add({.verdict = "refused_signature"});
    const v1::CallbackBatch read_back = read(batch);
    ASSERT_EQ(read_back.callbacks_size(), 2);
    EXPECT_EQ(read_back.callbacks(1).verdict(), "refused_signature");
    EXPECT_TRUE(read_back.callbacks(1).event_id().empty());
    EXPECT_FALSE(read_back.callbacks(1).has_event_day());
    EXPECT_FALSE(read_back.callbacks(1).has_body());
}

TEST(CallbackBatch, CountsRequestsUntilTheyAreTaken) {
    CallbackBatch batch;
    batch.add({.verdict = "limited"});
    batch.add({.verdict = "limited", .requests = 40});
    EXPECT_EQ(batch.requests(), 41);
    EXPECT_FALSE(batch.empty());
    static_cast<void>(batch.take());
    EXPECT_TRUE(batch.empty());
    EXPECT_EQ(batch.requests(), 0);
}

}  // namespace
}  // namespace sluice::callbacks
