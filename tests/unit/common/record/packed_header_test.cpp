#include "common/record/packed_header.hpp"

#include <algorithm>

#include <google/protobuf/unknown_field_set.h>
#include <gtest/gtest.h>

#include "common/crypto/digest.hpp"
#include "common/error.hpp"
#include "common/record/trust_words.hpp"
#include "proto/event_header.pb.h"
#include "tests/unit/common/record/sample_event.hpp"

namespace sluice::record {
namespace {

using Wire = v1::EventHeader;
using std::chrono::microseconds;
using std::chrono::seconds;

std::string packed_of(const EventHeaders& event) {
    std::string text;
    append_packed(text, event);
    return text;
}

Wire parsed(const EventHeaders& event) {
    Wire wire;
    EXPECT_TRUE(wire.ParseFromString(packed_of(event)));
    EXPECT_EQ(wire.GetReflection()->GetUnknownFields(wire).field_count(), 0);
    return wire;
}

/// With the trace beside it, as it is in a record.
Result<EventHeaders> decoded(std::string_view packed, HttpHeaders http = HttpHeaders::read) {
    const auto event = test::event_with_everything();
    const std::array headers{HeaderView{"sluice", packed}, HeaderView{"traceparent", event.traceparent},
                             HeaderView{"tracestate", event.tracestate}};
    return decode(headers, http);
}

Result<EventHeaders> decoded(const Wire& wire) {
    return decoded(wire.SerializeAsString());
}

/// What the generated class writes of the event with everything, after a change.
template <class Change>
Result<EventHeaders> with(Change change) {
    Wire wire = parsed(test::event_with_everything());
    change(wire);
    return decoded(wire);
}

WallTime time_of(const google::protobuf::Timestamp& time) {
    return WallTime{seconds{time.seconds()} + microseconds{time.nanos() / 1000}};
}

TEST(PackedHeader, IsWhatTheGeneratedClassReads) {
    const EventHeaders event = test::event_with_everything();
    const Wire wire = parsed(event);
    EXPECT_EQ(wire.source(), event.source);
    EXPECT_EQ(wire.provider(), event.provider);
    EXPECT_EQ(wire.principal(), event.principal);
    EXPECT_EQ(wire.livemode(), event.livemode);
    EXPECT_EQ(wire.event_id(), event.event_id);
    EXPECT_EQ(wire.type(), event.type);
    EXPECT_EQ(wire.object(), event.object);
    EXPECT_EQ(time_of(wire.occurred_at()), event.occurred_at);
    EXPECT_EQ(time_of(wire.received_at()), event.received_at);
    EXPECT_EQ(wire.content_type(), event.content_type);
    EXPECT_EQ(wire.dedup_key(), crypto::as_text(event.dedup_key));
    EXPECT_EQ(wire.content_digest(), crypto::as_text(event.content_digest));
    EXPECT_EQ(wire.event_day(), event.event_day.time_since_epoch().count());
    EXPECT_EQ(wire.key_id(), event.key_id);
    EXPECT_EQ(wire.keys(), event.keys);
    EXPECT_EQ(wire.trust(), Wire::TRUST_CRC);
    EXPECT_EQ(wire.item(), event.item);
    EXPECT_EQ(wire.original(), crypto::as_text(*event.original));
    EXPECT_EQ(wire.client(), event.client);
    ASSERT_EQ(wire.http_size(), 3);
    EXPECT_EQ(wire.http(1).name(), event.http[1].first);
    EXPECT_EQ(wire.http(1).value(), event.http[1].second);
}

TEST(PackedHeader, IsReadAsItWasWrittenByEither) {
    const EventHeaders event = test::event_with_everything();
    EXPECT_EQ(decoded(packed_of(event)).value(), event);
    EXPECT_EQ(decoded(parsed(event)).value(), event);
}

TEST(PackedHeader, SaysEachTrustByItsNumber) {
    EventHeaders event = test::event_with_everything();
    for (std::size_t number = 0; number < trust_words.size(); ++number) {
        event.trust = trust_words[number];
        EXPECT_EQ(static_cast<std::size_t>(parsed(event).trust()), number);
        EXPECT_EQ(decoded(packed_of(event)).value().trust, event.trust);
    }
    EXPECT_EQ(trust_words[Wire::TRUST_NONE], "none");
    EXPECT_EQ(trust_words[Wire::TRUST_CRC], "crc");
    EXPECT_EQ(trust_words[Wire::TRUST_TYPE], "type");
    EXPECT_EQ(trust_words[Wire::TRUST_API], "api");
    event.trust = "a word of a later version";
    EXPECT_FALSE(decoded(packed_of(event))) << "it must not become full trust";
}

TEST(PackedHeader, LeavesOutWhatTheEventDoesNotHave) {
    EventHeaders event = test::event_with_everything();
    event.livemode = false;
    event.object.clear();
    event.occurred_at.reset();
    event.event_day = undated;
    event.content_type.clear();
    event.key_id.clear();
    event.keys.clear();
    event.trust.clear();
    event.item.reset();
    event.original.reset();
    event.client.clear();
    event.http.clear();
    const Wire wire = parsed(event);
    EXPECT_FALSE(wire.has_occurred_at() || wire.has_item() || wire.has_original());
    EXPECT_TRUE(wire.has_livemode() && wire.has_event_day() && wire.has_content_type() && wire.has_key_id());
    EXPECT_EQ(decoded(packed_of(event)).value(), event);
}

TEST(PackedHeader, HasTimesToTheMicrosecond) {
    using namespace std::chrono;
    EventHeaders event = test::event_with_everything();
    const WallTime first = sys_days{year{0} / 1 / 1};
    const WallTime last = sys_days{year{10'000} / 1 / 1} - microseconds{1};
    for (const WallTime time :
         {first, WallTime{microseconds{-1}}, WallTime{}, WallTime{microseconds{1}}, last}) {
        event.occurred_at = time;
        event.received_at = time;
        event.event_day = floor<days>(time);
        EXPECT_EQ(decoded(packed_of(event)).value(), event) << to_rfc3339(time);
        EXPECT_EQ(time_of(parsed(event).received_at()), time) << to_rfc3339(time);
    }
}

TEST(PackedHeader, LeavesOutTheRequestsHeaders) {
    EventHeaders event = test::event_with_everything();
    const std::string packed = packed_of(event);
    event.http.clear();
    EXPECT_EQ(decoded(packed, HttpHeaders::left_out).value(), event);
}

TEST(PackedHeader, SkipsFieldsThatItDoesNotKnow) {
    const EventHeaders event = test::event_with_everything();
    for (const std::string& unknown : std::vector<std::string>{"\xa0\x06\x05",
                                                               "\xa1\x06"
                                                               "12345678",
                                                               "\xa2\x06\x03"
                                                               "abc",
                                                               "\xa5\x06"
                                                               "1234"})
        EXPECT_EQ(decoded(unknown + packed_of(event) + unknown).value(), event);
}

TEST(PackedHeader, HasAllThatEveryEventHas) {
    const std::array<void (Wire::*)(), 13> needed{&Wire::clear_source,
                                                  &Wire::clear_provider,
                                                  &Wire::clear_principal,
                                                  &Wire::clear_livemode,
                                                  &Wire::clear_event_id,
                                                  &Wire::clear_type,
                                                  &Wire::clear_received_at,
                                                  &Wire::clear_content_type,
                                                  &Wire::clear_dedup_key,
                                                  &Wire::clear_content_digest,
                                                  &Wire::clear_event_day,
                                                  &Wire::clear_key_id,
                                                  &Wire::Clear};
    for (std::size_t i = 0; i < needed.size(); ++i) {
        const auto back = with([&](Wire& wire) { (wire.*needed[i])(); });
        ASSERT_FALSE(back) << i;
        EXPECT_EQ(back.error(), errc::undecodable);
    }
}

TEST(PackedHeader, IsRefusedWhereAFieldCannotBe) {
    EXPECT_FALSE(with([](Wire& wire) { wire.set_dedup_key(std::string(31, 'x')); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.set_content_digest(std::string(33, 'x')); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.set_original(""); })) << "not taken as absent";
    EXPECT_FALSE(with([](Wire& wire) { wire.mutable_occurred_at()->set_nanos(1'000'000'000); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.mutable_occurred_at()->set_nanos(-1); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.mutable_occurred_at()->set_seconds(253'402'300'800); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.mutable_received_at()->set_seconds(-62'167'219'201); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.set_event_day(2'932'897); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.set_event_day(-719'529); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.set_trust(static_cast<Wire::Trust>(5)); }));
    EXPECT_FALSE(with([](Wire& wire) { wire.set_trust(static_cast<Wire::Trust>(-1)); }));
}

TEST(PackedHeader, IsRefusedWhereATextIsNoUtf8) {
    using Member = std::string EventHeaders::*;
    for (const Member text :
         {&EventHeaders::source, &EventHeaders::provider, &EventHeaders::principal, &EventHeaders::event_id,
          &EventHeaders::type, &EventHeaders::content_type, &EventHeaders::key_id, &EventHeaders::keys}) {
        EventHeaders event = test::event_with_everything();
        event.*text = "\xC3(";
        EXPECT_FALSE(decoded(packed_of(event)));
    }
    EventHeaders event = test::event_with_everything();
    event.object = "\xC3(";
    EXPECT_EQ(decoded(packed_of(event)).value(), event) << "it may come from a request's header";
}

TEST(PackedHeader, IsRefusedWhereItIsNoMessage) {
    const std::string good = packed_of(test::event_with_everything());
    EXPECT_FALSE(decoded(""));
    // What ends between two fields may lack some that an event may lack; it is never the same event.
    for (std::size_t size = 1; size < good.size(); ++size)
        EXPECT_NE(decoded(std::string_view{good}.substr(0, size)).value_or(EventHeaders{}),
                  test::event_with_everything());
    EXPECT_FALSE(decoded(good.substr(0, good.size() - 1)));
    for (const std::string& bad :
         {std::string{"\0", 1}, std::string{"\x07"}, std::string{"\x0b"}, std::string{"\x08\x01"},
          std::string{"\x80"}, std::string{"\x7a\x02\x08\x01"}, std::string{"\x7a\x02\x0a\x01"},
          std::string{"\xa2\x06\xff\xff\xff\xff\x0f"}, std::string{"\xa2\x06\x80\x80\x80\x80\x80\x01"},
          std::string{"\x88\x01\x00", 3}})
        EXPECT_FALSE(decoded(good + bad)) << testing::PrintToString(bad);
}

TEST(PackedHeader, IsRefusedWhereAFieldIsThereTwice) {
    const std::string good = packed_of(test::event_with_everything());
    EXPECT_FALSE(decoded(good + good));
    EXPECT_FALSE(decoded(good + "\x0a\x01"
                                "a"));
    EXPECT_FALSE(decoded(good + "\x82\x01\x01"
                                "a"));
}

TEST(PackedHeader, UsesItsMemoryAgain) {
    EventHeaders larger = test::event_with_everything();
    larger.http.emplace_back("x-" + std::string(5000, 'x'), std::string(300, 'y'));
    EncodedHeaders memory{HeaderForm::packed};
    const void* const first = memory.encode(larger).front().value.data();
    for (const EventHeaders& event : {test::event_with_everything(), larger}) {
        const auto headers = memory.encode(event);
        EXPECT_EQ(headers.front().value.data(), first);
        EXPECT_EQ(headers.front().value, packed_of(event));
    }
}

}  // namespace
}  // namespace sluice::record
