#include "common/record/event_record.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "common/crypto/encoding.hpp"
#include "common/error.hpp"
#include "common/time_text.hpp"
#include "tests/unit/common/record/sample_event.hpp"

namespace sluice::record {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// All that an event of a delivery with one event has at full trust.
EventHeaders full_event() {
    EventHeaders event = test::event_with_everything();
    event.principal = "acct_main";
    event.occurred_at = from_rfc3339("2026-11-21T19:03:21Z");
    event.trust.clear();
    event.item.reset();
    event.original.reset();
    event.client.clear();
    event.http = {{"stripe-signature", "t=1,v1=ab"}, {"content-length", "2"}};
    return event;
}

Pairs as_pairs(std::span<const HeaderView> views) {
    Pairs pairs;
    for (const HeaderView& view : views) pairs.emplace_back(view.name, view.value);
    return pairs;
}

Pairs encode(const EventHeaders& event) {
    EncodedHeaders memory;
    return as_pairs(memory.encode(event));
}

std::vector<HeaderView> views(const Pairs& pairs) {
    std::vector<HeaderView> out;
    for (const auto& [name, value] : pairs) out.push_back({name, value});
    return out;
}

Result<EventHeaders> decoded(const Pairs& pairs) {
    return decode(views(pairs));
}

Pairs with(Pairs pairs, const std::string& name, const std::string& value) {
    std::ranges::find(pairs, name, &Pairs::value_type::first)->second = value;
    return pairs;
}

Pairs without(Pairs pairs, const std::string& name) {
    std::erase_if(pairs, [&](const auto& pair) { return pair.first == name; });
    return pairs;
}

constexpr std::array required{"ce_specversion",   "ce_id",
                              "ce_source",        "ce_type",
                              "content-type",     "traceparent",
                              "sluice-source",    "sluice-provider",
                              "sluice-principal", "sluice-livemode",
                              "sluice-dedup-key", "sluice-digest",
                              "sluice-event-day", "sluice-received-at",
                              "sluice-key"};

TEST(EventRecord, WritesTheDocumentedHeadersInOrder) {
    const Pairs expected{
        {"ce_specversion", "1.0"},
        {"ce_id", "evt_1"},
        {"ce_source", "stripe/acct_main"},
        {"ce_type", "payment_intent.succeeded"},
        {"ce_subject", "pi_1"},
        {"ce_time", "2026-11-21T19:03:21.000000Z"},
        {"content-type", "application/json"},
        {"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"},
        {"tracestate", "vendor=1"},
        {"sluice-source", "stripe-eu"},
        {"sluice-provider", "stripe"},
        {"sluice-principal", "acct_main"},
        {"sluice-livemode", "true"},
        {"sluice-dedup-key", "abababababababababababababababababababababababababababababababab"},
        {"sluice-digest", "0101010101010101010101010101010101010101010101010101010101010101"},
        {"sluice-event-day", "2026-11-21"},
        {"sluice-received-at", "2026-11-21T19:03:22.123456Z"},
        {"sluice-key", "2026-10"},
        {"http-stripe-signature", "t=1,v1=ab"},
        {"http-content-length", "2"},
        {"sluice-keys", "0123456789abcdef"},
    };
    EXPECT_EQ(encode(full_event()), expected);
}

TEST(EventRecord, SaysWhoSentTheRequestWhereThatIsRecorded) {
    EventHeaders event = full_event();
    event.client = "2001:db8::1";
    const Pairs pairs = encode(event);
    EXPECT_EQ(pairs.back(), (Pairs::value_type{"sluice-client", "2001:db8::1"}));
    EXPECT_EQ(decoded(pairs).value(), event);
}

TEST(EventRecord, ReadsBackWhatItWrote) {
    const EventHeaders event = full_event();
    const auto back = decoded(encode(event));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, event);
}

TEST(EventRecord, LeavesOutTheRequestsHeadersAndReadsTheRestInAnyOrder) {
    auto wanted = encode(full_event());
    auto turned = views(wanted);
    std::ranges::reverse(turned);
    const auto back = decode(turned, HttpHeaders::left_out);
    ASSERT_TRUE(back);
    std::erase_if(wanted, [](const auto& pair) { return pair.first.starts_with("http-"); });
    EXPECT_EQ(encode(*back), wanted);
}

TEST(EventRecord, MemoryIsUsedAgainWithoutATrace) {
    EncodedHeaders memory;
    EventHeaders larger = full_event();
    larger.http.emplace_back("x-" + std::string(5000, 'x'), "y");
    larger.principal = std::string(200, 'p');
    EXPECT_EQ(as_pairs(memory.encode(larger)), encode(larger));
    EXPECT_EQ(as_pairs(memory.encode(full_event())), encode(full_event()));
    EXPECT_EQ(as_pairs(memory.encode(larger)), encode(larger));
}

TEST(EventRecord, LeavesOutWhatTheEventDoesNotHave) {
    EventHeaders event = full_event();
    event.object.clear();
    event.occurred_at.reset();
    event.tracestate.clear();
    event.http.clear();
    event.keys.clear();
    event.event_day = undated;
    event.livemode = false;
    const Pairs pairs = encode(event);
    EXPECT_EQ(pairs.size(), required.size());
    const auto back = decoded(pairs);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->object, "");
    EXPECT_EQ(back->occurred_at, std::nullopt);
    EXPECT_EQ(back->tracestate, "");
    EXPECT_TRUE(back->http.empty());
    EXPECT_EQ(back->event_day, undated);
    EXPECT_FALSE(back->livemode);
    EXPECT_EQ(std::ranges::find(pairs, "sluice-event-day", &Pairs::value_type::first)->second, "undated");
}

TEST(EventRecord, RefusesAMissingHeader) {
    for (const std::string name : required) {
        const auto result = decoded(without(encode(full_event()), name));
        ASSERT_FALSE(result.has_value()) << name;
        EXPECT_EQ(result.error(), errc::undecodable) << name;
    }
}

TEST(EventRecord, RefusesARepeatedHeader) {
    for (const std::string name : required) {
        Pairs pairs = encode(full_event());
        pairs.emplace_back(*std::ranges::find(pairs, name, &Pairs::value_type::first));
        EXPECT_FALSE(decoded(pairs).has_value()) << name;
    }
}

TEST(EventRecord, RefusesAMalformedHeader) {
    const Pairs malformed{
        {"ce_specversion", "1.1"},
        {"ce_specversion", ""},
        {"ce_id", ""},
        {"ce_source", "stripe/acct_other"},
        {"ce_source", "stripe"},
        {"ce_type", ""},
        {"traceparent", ""},
        {"traceparent", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"},
        {"sluice-source", ""},
        {"sluice-provider", ""},
        {"sluice-principal", ""},
        {"sluice-livemode", ""},
        {"sluice-livemode", "True"},
        {"sluice-livemode", "1"},
        {"sluice-dedup-key", std::string(62, 'a')},
        {"sluice-dedup-key", std::string(64, 'A')},
        {"sluice-digest", std::string(66, 'a')},
        {"sluice-digest", std::string(64, 'g')},
        {"sluice-event-day", ""},
        {"sluice-event-day", "2026-02-30"},
        {"sluice-event-day", "2026-11-21T00:00:00Z"},
        {"sluice-received-at", ""},
        {"sluice-received-at", "1795287802"},
    };
    for (const auto& [name, value] : malformed) {
        EXPECT_FALSE(decoded(with(encode(full_event()), name, value)).has_value()) << name << '=' << value;
    }
}

TEST(EventRecord, AllowsAnEmptyContentTypeAndKeyId) {
    const auto back = decoded(with(with(encode(full_event()), "content-type", ""), "sluice-key", ""));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->content_type, "");
    EXPECT_EQ(back->key_id, "");
}

TEST(EventRecord, SaysWhereASignatureCoversLessThanTheBody) {
    auto event = full_event();
    event.trust = "none";
    EXPECT_EQ(std::ranges::count(encode(event), std::pair<std::string, std::string>{"sluice-trust", "none"}),
              1);
    EXPECT_EQ(decoded(encode(event))->trust, "none");
    event.trust = "type";
    EXPECT_EQ(decoded(encode(event))->trust, "type");
    event.trust = "api";
    EXPECT_EQ(decoded(encode(event))->trust, "api");
    EXPECT_EQ(decoded(encode(full_event()))->trust, "");
    Pairs other = encode(full_event());
    other.emplace_back("sluice-trust", "full");
    EXPECT_FALSE(decoded(other).has_value())
        << "a word that this version does not know must not pass for full trust";
}

TEST(EventRecord, TakesTheFirstOfARepeatedOptionalHeader) {
    Pairs pairs = encode(full_event());
    pairs.emplace_back("ce_subject", "pi_2");
    const auto back = decoded(pairs);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->object, "pi_1");
}

TEST(EventRecord, ReadsAMalformedTimeAsAbsent) {
    const auto back = decoded(with(encode(full_event()), "ce_time", "yesterday"));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->occurred_at, std::nullopt);
}

TEST(EventRecord, IgnoresHeadersThatItDoesNotKnow) {
    Pairs pairs = encode(full_event());
    pairs.insert(pairs.begin(), {"sluice-attempt", "3"});
    pairs.emplace_back("kafka_dlt-original-topic", std::string("\0\x01", 2));
    EXPECT_TRUE(decoded(pairs).has_value());
}

TEST(EventRecord, KeepsBytesOfSignedHeadersAsReceived) {
    EventHeaders event = full_event();
    event.http = {{"x", std::string("a\0\xFF=", 4)}, {"x", ""}};
    const auto back = decoded(encode(event));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->http, event.http);
}

TEST(EventRecord, RefusesNoHeadersAtAll) {
    EXPECT_FALSE(decode({}).has_value());
}

// Computed with python3: hashlib.sha256 over struct.pack('>Q', len(part)) + part, for each part.
TEST(EventIds, DedupKeyIsFixedForEver) {
    struct Case {
        std::string_view provider, principal;
        bool livemode;
        std::string_view event_id, hex;
    };
    using namespace std::string_view_literals;
    const std::array cases{
        Case{"stripe", "acct_main", true, "evt_1",
             "9ee04a858aff4e3c57b06cb355b9eb30bd9c00486e8f8d8f78b9c740cb7e7cc8"},
        Case{"stripe", "acct_main", false, "evt_1",
             "87c377fdd72a826325bb5f3374c25cec3282ed3d6e29dbbb7e3264d3348e8d88"},
        Case{"stri", "peacct_main", true, "evt_1",
             "767aaafb59677f74f52d27238b6f5eccb08a092ec549e01c1cab27e9f4edbdf2"},
        Case{"", "", true, "", "1632ba45834a27f05d0ed6fe735d1c4c89c7969704f8468783052cc43edf455c"},
        Case{"adyen", "H\u00e4ndler", true, "ab\0c"sv,
             "61e4a46c8ed2663d4f8458606008490eb489c44f353030f51028203ad482593e"},
    };
    for (const Case& one : cases) {
        EXPECT_EQ(crypto::to_hex(dedup_key(one.provider, one.principal, one.livemode, one.event_id)), one.hex)
            << one.provider << '/' << one.principal;
    }
}

TEST(EventIds, TellIdsApartThatDifferInASingleByte) {
    const auto key = dedup_key("stripe", "acct_main", true, "evt_1AbC");
    for (const auto* other : {"evt_1abC", "EVT_1AbC", "evt_1AbC ", "evt_1AbC.", " evt_1AbC", "evt_1AbCd"}) {
        EXPECT_NE(dedup_key("stripe", "acct_main", true, other), key) << other;
    }
    EXPECT_NE(dedup_key("stripe", "acct_Main", true, "evt_1AbC"), key);
}

TEST(EventIds, MarkIsFixedForEver) {
    crypto::Digest counting{};
    for (std::size_t i = 0; i < counting.size(); ++i) counting[i] = static_cast<std::uint8_t>(i);
    crypto::Digest ones{};
    ones.fill(0xFF);
    EXPECT_EQ(crypto::to_hex(mark(counting, ones)),
              "46a5b9683572c677a9ed8945546cd614e609cbd721fd75ac93ca722188ae1184");
    EXPECT_EQ(crypto::to_hex(mark(ones, counting)),
              "fbbe832166bfcd041894790b07ee46ff223ad74465b861c465091842d3e6dcb4");
}

TEST(EventIds, RecordKeyJoinsItsParts) {
    EXPECT_EQ(ordering_key("stripe", "acct_main", "pi_1"), "stripe/acct_main/pi_1");
    EXPECT_EQ(ordering_key("stripe", "acct_main", ""), "stripe/acct_main/");
}

}  // namespace
}  // namespace sluice::record
