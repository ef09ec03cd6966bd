#include "common/webhook/extract/extract.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/webhook/extract/livemode.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

const std::string snapshot =
    R"({"id":"evt_1","object":"event","api_version":"2024-06-20","created":1763750000,"livemode":false,"pending_webhooks":2,)"
    R"("type":"charge.refunded","data":{"object":{"id":"ch_1","object":"charge","payment_intent":"pi_1","amount":2000}}})";

const std::string thin =
    R"({"id":"evt_test_65R9","object":"v2.core.event","type":"v1.billing.meter.error_report_triggered","livemode":true,)"
    R"("created":"2025-11-21T18:33:20.123Z","related_object":{"id":"mtr_1","type":"billing.meter","url":"/v1/billing/meters/mtr_1"}})";

class Extract : public testing::Test {
protected:
    [[nodiscard]] Extracted read(std::string_view body) const {
        const auto result = extracted(configured.only(), body);
        EXPECT_TRUE(result) << body << ": " << (result ? "" : result.error().why);
        return result.value_or(Extracted{});
    }

    [[nodiscard]] std::error_code error(std::string_view body) const {
        const auto result = extracted(configured.only(), body);
        return result ? std::error_code{} : result.error().code;
    }

    [[nodiscard]] std::string object(const std::string& data) const {
        return read(R"({"id":"evt_1","type":"t","data":{"object":)" + data + "}}").headers.object;
    }

    Configured configured = stripe();
};

TEST_F(Extract, ReadsASnapshotEvent) {
    const auto event = read(snapshot);
    EXPECT_EQ(event.headers.source, "eu");
    EXPECT_EQ(event.headers.provider, "stripe");
    EXPECT_EQ(event.headers.principal, "acct_main");
    EXPECT_EQ(event.headers.event_id, "evt_1");
    EXPECT_EQ(event.headers.type, "charge.refunded");
    EXPECT_EQ(event.headers.object, "pi_1");
    EXPECT_FALSE(event.headers.livemode);
    EXPECT_EQ(event.headers.occurred_at, at_unix(1763750000));
    EXPECT_EQ(to_text(event.headers.event_day), "2025-11-21");
    EXPECT_EQ(event.ordering_key, "stripe/acct_main/pi_1");
    EXPECT_EQ(event.headers.dedup_key, record::dedup_key("stripe", "acct_main", false, "evt_1"));
}

TEST_F(Extract, ReadsAThinEvent) {
    const auto event = read(thin);
    EXPECT_EQ(event.headers.event_id, "evt_test_65R9");
    EXPECT_EQ(event.headers.object, "mtr_1");
    EXPECT_TRUE(event.headers.livemode);
    EXPECT_EQ(event.headers.occurred_at, at_unix(1763750000, 123'000));
    EXPECT_EQ(to_text(event.headers.event_day), "2025-11-21");
    EXPECT_EQ(event.ordering_key, "stripe/acct_main/mtr_1");
}

TEST_F(Extract, OrdersByThePaymentIntentElseByTheObject) {
    EXPECT_EQ(object(R"({"id":"ch_1","payment_intent":"pi_1"})"), "pi_1");
    EXPECT_EQ(object(R"({"id":"pi_1"})"), "pi_1");
    EXPECT_EQ(object(R"({"id":"ch_1","payment_intent":{"id":"pi_2","object":"payment_intent"}})"), "pi_2");
}

TEST_F(Extract, PassesOverWhatIsNoObjectsId) {
    for (const auto* intent : {"null", R"("")", "17", "true", "[]", R"(["pi_1"])", "{}", R"({"id":null})",
                               R"({"id":""})", R"({"id":5})", R"({"id":{"id":"pi_1"}})"}) {
        EXPECT_EQ(object(R"({"id":"ch_1","payment_intent":)" + std::string(intent) + "}"), "ch_1") << intent;
    }
}

TEST_F(Extract, FallsBackToTheEventsIdForTheRecordKey) {
    for (const auto* body :
         {R"({"id":"evt_9","type":"balance.available"})", R"({"id":"evt_9","type":"t","data":null})",
          R"({"id":"evt_9","type":"t","data":{"object":{"id":null}},"related_object":null})"}) {
        const auto event = read(body);
        EXPECT_EQ(event.headers.object, "") << body;
        EXPECT_EQ(event.ordering_key, "stripe/acct_main/evt_9") << body;
    }
}

TEST_F(Extract, TakesTheSourcesOwnOrder) {
    const auto other = stripe("order_by: [/data/object/customer, /data/object/id]");
    const auto event = extracted(
        other.only(),
        R"({"id":"e","type":"t","data":{"object":{"id":"ch_1","payment_intent":"pi_1","customer":"cus_1"}}})");
    EXPECT_EQ(event->headers.object, "cus_1");
    const auto none = stripe("order_by: []");
    EXPECT_EQ(extracted(none.only(), snapshot)->ordering_key, "stripe/acct_main/evt_1");
}

TEST_F(Extract, TakesAnEventWithoutAModeForLive) {
    EXPECT_TRUE(read(R"({"id":"e","type":"t"})").headers.livemode);
    EXPECT_TRUE(read(R"({"id":"e","type":"t","livemode":null})").headers.livemode);
    EXPECT_TRUE(read(R"({"id":"e","type":"t","livemode":true})").headers.livemode);
    EXPECT_FALSE(read(R"({"id":"e","type":"t","livemode":false})").headers.livemode);
    EXPECT_EQ(error(R"({"id":"e","type":"t","livemode":"false"})"), errc::unreadable_body);
    EXPECT_EQ(error(R"({"id":"e","type":"t","livemode":0})"), errc::unreadable_body);
}

TEST(Livemode, ABooleanOrATextMayMeanTest) {
    constexpr struct {
        const char *field, *is;
        bool means_test, is_live;
    } rows[] = {{"true", "", true, false},
                {"false", "", true, true},
                {"true", "", false, true},
                {"false", "", false, false},
                {R"("sandbox")", "sandbox", true, false},
                {R"("shop")", "sandbox", true, true},
                {R"("prod")", "prod", false, true},
                {"null", "", true, true}};
    for (const auto& row : rows) {
        Extraction extraction;
        extraction.livemode = Pointer::parse("/mode").value();
        extraction.live_text = row.is;
        extraction.means_test = row.means_test;
        JsonView view;
        const std::string body = std::string{"{\"mode\":"} + row.field + "}";
        ASSERT_TRUE(view.read(body));
        EXPECT_EQ(livemode_of(view, extraction), row.is_live) << body << row.is << row.means_test;
    }
}

TEST_F(Extract, LeavesAnEventWithoutATimeUndated) {
    for (const auto* body : {R"({"id":"e","type":"t"})", R"({"id":"e","type":"t","created":null})"}) {
        EXPECT_FALSE(read(body).headers.occurred_at) << body;
        EXPECT_EQ(read(body).headers.event_day, record::undated) << body;
    }
}

TEST_F(Extract, RefusesTimesThatItCannotSay) {
    const auto created = [](const std::string& text) {
        return R"({"id":"e","type":"t","created":)" + text + "}";
    };
    EXPECT_EQ(read(created("253402300799")).headers.occurred_at, at_unix(253402300799));
    EXPECT_EQ(error(created("253402300800")), errc::out_of_range);
    EXPECT_EQ(error(created("-1")), errc::out_of_range);
    EXPECT_EQ(error(created("9223372036854775807")), errc::out_of_range);
    EXPECT_EQ(error(created("9223372036854775808")), errc::out_of_range);
    EXPECT_EQ(error(created("1763750000.5")), errc::out_of_range);
    EXPECT_EQ(error(created("1.7e9")), errc::out_of_range);
    EXPECT_EQ(error(created(R"("1763750000")")), errc::unreadable_body);
    EXPECT_EQ(error(created(R"("2025-11-21")")), errc::unreadable_body);
    EXPECT_EQ(error(created(R"("1969-12-31T23:59:59Z")")), errc::out_of_range);
    EXPECT_EQ(error(created("true")), errc::unreadable_body);
    EXPECT_EQ(error(created("{}")), errc::unreadable_body);
}

TEST_F(Extract, DatesByUtc) {
    EXPECT_EQ(
        to_text(read(R"({"id":"e","type":"t","created":"2025-11-21T23:30:00-01:00"})").headers.event_day),
        "2025-11-22");
    EXPECT_EQ(to_text(read(R"({"id":"e","type":"t","created":1763769599})").headers.event_day), "2025-11-21");
    EXPECT_EQ(to_text(read(R"({"id":"e","type":"t","created":1763769600})").headers.event_day), "2025-11-22");
}

TEST_F(Extract, WantsAnIdAndATypeWithinBounds) {
    const auto body = [](const std::string& id, const std::string& type) {
        return R"({"id":)" + id + R"(,"type":)" + type + "}";
    };
    const auto quoted = [](std::size_t size) { return "\"" + std::string(size, 'x') + "\""; };
    EXPECT_EQ(read(body(quoted(255), quoted(128))).headers.event_id.size(), 255U);
    EXPECT_EQ(error(body(quoted(256), quoted(1))), errc::unreadable_body);
    EXPECT_EQ(error(body(quoted(1), quoted(129))), errc::unreadable_body);
    for (const auto* bad :
         {R"("")", "null", "1", "{}", R"("a\nb")", R"("\u0000")", R"("é")", R"("\u00e9")", R"("\u007f")"}) {
        EXPECT_EQ(error(body(bad, R"("t")")), errc::unreadable_body) << bad;
        EXPECT_EQ(error(body(R"("e")", bad)), errc::unreadable_body) << bad;
    }
    EXPECT_EQ(error(R"({"type":"t"})"), errc::missing_pointer);
    EXPECT_EQ(error(R"({"id":"e"})"), errc::missing_pointer);
}

TEST_F(Extract, BoundsTheObjectsId) {
    EXPECT_EQ(object(R"({"id":")" + std::string(255, 'x') + "\"}").size(), 255U);
    EXPECT_EQ(error(R"({"id":"e","type":"t","data":{"object":{"id":")" + std::string(256, 'x') + "\"}}}"),
              errc::unreadable_body);
    EXPECT_EQ(error(R"({"id":"e","type":"t","data":{"object":{"id":"a\u0000b"}}})"), errc::unreadable_body);
    EXPECT_EQ(error(R"({"id":"e","type":"t","data":{"object":{"id":"a\nb"}}})"), errc::unreadable_body);
    EXPECT_EQ(object(R"({"id":"Bestellung/Zoë"})"), "Bestellung/Zoë");
}

TEST_F(Extract, RefusesBodiesThatAreNoEvent) {
    for (const auto* body :
         {"", " ", "{", "x", "{}x", "\xEF\xBB\xBF{}", "{\"id\":\"\xFF\"}", R"({"id":"\ud800","type":"t"})"}) {
        EXPECT_EQ(error(body), errc::unreadable_body) << body;
    }
    for (const auto* body : {"{}", "[]", "null", "1", R"([{"id":"e","type":"t"}])", R"("evt_1")"}) {
        EXPECT_EQ(error(body), errc::missing_pointer) << body;
    }
    EXPECT_EQ(error(snapshot + "]"), errc::unreadable_body);
    EXPECT_EQ(error(snapshot + snapshot), errc::unreadable_body);
    const std::string deep =
        R"({"id":"e","type":"t","x":)" + std::string(64, '[') + std::string(64, ']') + "}";
    EXPECT_EQ(error(deep), errc::unreadable_body);
    EXPECT_EQ(read(R"({"id":"e","type":"t","x":)" + std::string(63, '[') + std::string(63, ']') + "}")
                  .headers.event_id,
              "e");
}

/// Each field that is read, once more behind its first, under its name and spelled otherwise.
TEST_F(Extract, RefusesEveryFieldThatStandsTwice) {
    for (const auto* twice :
         {R"("id":"e","id":"e")", R"("id":"e","\u0069d":"f")", R"("id":"e","type":"u")",
          R"("id":"e","\u0074ype":"u")", R"("id":"e","created":1,"created":1)",
          R"("id":"e","livemode":true,"livemode":false)", R"("id":"e","data":{},"data":{})",
          R"("id":"e","related_object":{"id":"a"},"related_object":{"id":"a"})",
          R"("id":"e","data":{"object":{},"object":{}})", R"("id":"e","data":{"object":{"id":"a","id":"b"}})",
          R"("id":"e","data":{"object":{"id":"a","\u0069\u0064":"b"}})",
          R"("id":"e","data":{"object":{"payment_intent":"a","payment_intent":null}})",
          R"("id":"e","data":{"object":{"payment_intent":null,"payment_intent":"a"}})",
          R"("id":"e","data":{"object":{"payment_intent":{"id":"a","id":"b"}}})"}) {
        EXPECT_EQ(error("{" + std::string(twice) + R"(,"type":"t"})"), errc::duplicate_key) << twice;
    }
}

// An emoji that was cut, or a counter that grew beyond 64 bits, in a field that nobody reads.
TEST_F(Extract, WhatNobodyReadsMayBeBeyondTheParser) {
    for (const auto* value : {R"("caf\ud83d")", R"("\ude00")", "123456789012345678901234567890", "1e400"}) {
        const std::string note = std::string(R"("note":)") + value;
        const auto event = read(R"({"id":"evt_1","type":"t","data":{"object":{"id":"pi_1",)" + note + "}}}");
        EXPECT_EQ(event.headers.event_id, "evt_1");
        EXPECT_EQ(event.headers.object, "pi_1");
        const auto other = read(R"({"id":"evt_1","type":"t","data":{"object":{"id":"pi_1","note":0}}})");
        EXPECT_NE(event.headers.content_digest, other.headers.content_digest) << value;
    }
}

TEST_F(Extract, WhatIsReadMustBeText) {
    EXPECT_EQ(error(R"({"id":"evt_\ud83d","type":"t"})"), errc::unreadable_body);
    EXPECT_EQ(error(R"({"id":"evt_1","type":"\ude00"})"), errc::unreadable_body);
    EXPECT_EQ(error(R"({"id":"e","type":"t","data":{"object":{"id":"\ud800"}}})"), errc::unreadable_body);
    EXPECT_EQ(error(R"({"id":"e","type":"t","created":18446744073709551616})"), errc::out_of_range);
    EXPECT_EQ(error(R"({"id":"e","type":"t","livemode":1e400})"), errc::unreadable_body);
}

TEST_F(Extract, KeepsTheHeadersThatVerifyAgain) {
    JsonView view;
    const std::vector<HeaderField> fields{
        {"content-type", "application/json; charset=utf-8"}, {"STRIPE-SIGNATURE", "t=1,v1=ab"}, {"X", "y"}};
    const auto event = extract(configured.only(), {"POST", "/", fields, snapshot}, view);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->headers.content_type, "application/json; charset=utf-8");
    ASSERT_EQ(event->headers.http.size(), 1U);
    EXPECT_EQ(event->headers.http[0].first, "stripe-signature");
    EXPECT_EQ(event->headers.http[0].second, "t=1,v1=ab");
    EXPECT_EQ(read(snapshot).headers.content_type, "application/json");
}

TEST_F(Extract, WritesOverWhatTheLastEventLeft) {
    JsonView view;
    Extracted event;
    ASSERT_TRUE(extract_into(event, configured.only(), {"POST", "/", {}, snapshot}, view));
    ASSERT_TRUE(extract_into(event, configured.only(), {"POST", "/", {}, R"({"id":"e","type":"t"})"}, view));
    EXPECT_EQ(event.headers.event_id, "e");
    EXPECT_EQ(event.headers.object, "");
    EXPECT_TRUE(event.headers.livemode);
    EXPECT_FALSE(event.headers.occurred_at);
    EXPECT_EQ(event.headers.event_day, record::undated);
    EXPECT_EQ(event.ordering_key, "stripe/acct_main/e");
}

TEST_F(Extract, ReadsAPaddedBodyInPlace) {
    JsonView view;
    const std::string padded = snapshot + std::string(64, '\0');
    const std::string_view body = std::string_view(padded).substr(0, snapshot.size());
    const auto event = extract(configured.only(), {"POST", "/", {}, body}, view, true);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->headers.content_digest, read(snapshot).headers.content_digest);
}

}  // namespace
}  // namespace sluice::webhook::test
