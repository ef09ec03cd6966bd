#include <gtest/gtest.h>

#include "common/crypto/digest.hpp"
#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t now = 1'614'265'330;

/// Schemes other than Stripe's that the engine can say already.
Configured scheme(const std::string& lines, const std::string& key = "SLUICE_TEST_FIRST") {
    return Configured(
        "recipes:\n  - name: mine\n    provider: shop\n    algorithm: hmac-sha256\n" + lines +
        "    body: json\n    extract: {id: /id, type: /type, order_by: [/object], livemode: {pointer: /test, "
        "absent: false}}\n"
        "    day: none\n    digest: [[/amount], none]\n"
        "    answers: {success: {status: 204}, bad_signature: {status: 498}}\n    answer_within: 1s\n"
        "sources:\n  - name: eu\n    principal: eu\n    recipe: mine\n    keys: [{id: a, value: {env: " +
        key + "}}]\n");
}

const std::string prefixed =
    "    keys: {form: text}\n    signature: {header: X-Hub-Signature-256, container: {prefix: sha256=}, "
    "encoding: hex}\n"
    "    timestamp: none\n    signed: [body]\n";
const std::string base64 =
    "    keys: {form: text}\n    signature: {header: X-Shop-Hmac, container: raw, encoding: base64}\n"
    "    timestamp: none\n    signed: [body]\n";
const std::string any_case =
    "    keys: {form: text}\n    signature: {header: X-Sig, container: raw, encoding: hex-any-case}\n"
    "    timestamp: none\n    signed: [body]\n";
const std::string by_headers =
    "    keys: {form: base64, strip: whsec_}\n"
    "    signature: {header: Webhook-Signature, container: {prefix: 'v1,'}, encoding: base64}\n"
    "    timestamp: {header: Webhook-Timestamp, unit: s, window: {past: 300s, future: 300s}}\n"
    "    signed: [{header: Webhook-Id}, {literal: .}, timestamp, {literal: .}, body]\n";
const std::string pairs =
    "    keys: {form: text}\n    signature: {header: X-Sig, container: {pairs: {sep: ',', kv: '=', key: s}}, "
    "encoding: hex}\n"
    "    timestamp: {pair: t, unit: s, window: {past: 300s, future: 300s}}\n"
    "    signed: [{pair: n}, {literal: '|'}, {pair: t}, {literal: '|'}, body, {literal: '|'}, {literal: "
    "end}]\n";

std::string base64_of(std::string_view key, std::string_view text) {
    const std::string_view pieces[] = {text};
    return crypto::to_base64(crypto::as_text(crypto::HmacSha256(Secret(key))(pieces)));
}

TEST(PrefixScheme, WantsItsPrefix) {
    const auto configured = scheme(prefixed);
    ASSERT_EQ(configured.problems.report(), "");
    const auto of = [&](const std::string& header) {
        return verdict(configured.only(), {{{"X-Hub-Signature-256", header}}, "{}"}, at_unix(0));
    };
    const std::string good = hmac_hex(secret, "{}");
    EXPECT_EQ(of("sha256=" + good), "");
    EXPECT_EQ(of(good), "header_grammar");
    EXPECT_EQ(of("SHA256=" + good), "header_grammar");
    EXPECT_EQ(of("sha256="), "no_signature");
    EXPECT_EQ(of("sha256=" + good + ","), "signature_encoding");
    EXPECT_EQ(of("sha256=" + std::string(64, '0')), "signature_mismatch");
}

// GitHub's published value.
TEST(PrefixScheme, AgreesWithAPublishedValue) {
    ::setenv("SLUICE_TEST_PUBLISHED", "It's a Secret to Everybody", 1);
    const auto configured = scheme(prefixed, "SLUICE_TEST_PUBLISHED");
    const std::string header = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    EXPECT_EQ(verdict(configured.only(), {{{"X-Hub-Signature-256", header}}, "Hello, World!"}, at_unix(0)),
              "");
}

TEST(Base64Scheme, TakesOneSpellingOnly) {
    const auto configured = scheme(base64);
    const auto of = [&](const std::string& header) {
        return verdict(configured.only(), {{{"X-Shop-Hmac", header}}, "{}"}, at_unix(0));
    };
    const std::string good = base64_of(secret, "{}");
    ASSERT_EQ(good.size(), 44U);
    EXPECT_EQ(of(good), "");
    EXPECT_EQ(of(good.substr(0, 43)), "signature_encoding");
    EXPECT_EQ(of(good + "\n"), "signature_encoding");
    EXPECT_EQ(of(" " + good.substr(0, 43)), "signature_encoding");
    EXPECT_EQ(of(hmac_hex(secret, "{}")), "signature_encoding");
    EXPECT_EQ(of(std::string(44, '=')), "signature_encoding");
    EXPECT_EQ(of(std::string(43, 'A') + "="), "signature_mismatch");
    EXPECT_EQ(of(std::string(44, 'A')), "signature_encoding");
    EXPECT_EQ(of(std::string(42, '-') + "A="), "signature_encoding");
    // The last digit carries two spare bits: 33 spellings too many for a lenient decoder.
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string spare = good;
    spare[42] = digits[digits.find(good[42]) + 1];
    EXPECT_EQ(of(spare), "signature_encoding");
}

TEST(HexScheme, TakesUpperCaseWhereTheRecipeSaysSo) {
    const auto configured = scheme(any_case);
    std::string upper = hmac_hex(secret, "{}");
    for (char& c : upper) c = c >= 'a' ? static_cast<char>(c - 32) : c;
    EXPECT_EQ(verdict(configured.only(), {{{"X-Sig", upper}}, "{}"}, at_unix(0)), "");
    EXPECT_EQ(verdict(configured.only(), {{{"X-Sig", ""}}, "{}"}, at_unix(0)), "no_signature");
}

// Computed with Python: key is the base64 behind whsec_, text is id.timestamp.body.
TEST(HeaderScheme, AgreesWithAValueFromElsewhere) {
    const auto configured = scheme(by_headers, "SLUICE_TEST_BASE64");
    ASSERT_EQ(configured.problems.report(), "");
    Delivery delivery{{{"Webhook-Id", "msg_p5jXN8AQM9LWM0D4loKWxJek"},
                       {"Webhook-Timestamp", "1614265330"},
                       {"Webhook-Signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="}},
                      R"({"test": 2432232314})"};
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now)), "");
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now + 301)), "too_old");
    delivery.headers.emplace_back("Webhook-Id", "again");
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now)), "repeated_header");
    delivery.headers = {{"Webhook-Signature", "v1,x"}, {"Webhook-Timestamp", "1614265330"}};
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now)), "missing_header");
    delivery.headers = {
        {"Webhook-Signature", "v1,x"}, {"Webhook-Timestamp", "1614265330x"}, {"Webhook-Id", "a"}};
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now)), "timestamp_grammar");
}

// msg.1 + . + 5 and msg + . + 1.5 are the same signed bytes.
TEST(PublicKeys, AreTriedSoOftenAndNoMore) {
    const auto configured_with = [](std::size_t keys) {
        std::string list;
        for (std::size_t i = 0; i < keys; ++i) {
            const std::string name = "SLUICE_TEST_PUBLIC_" + std::to_string(i);
            ::setenv(name.c_str(),
                     ("whpk_" + crypto::to_base64(std::string(32, static_cast<char>(i)))).c_str(), 1);
            list += "{id: k" + std::to_string(i) + ", value: {env: " + name + "}}, ";
        }
        return Configured("sources: [{name: a, principal: a, recipe: svix, keys: [" + list + "]}]\n");
    };
    const auto verdict_on = [](const Configured& configured, std::size_t signatures) {
        std::string header;
        for (std::size_t i = 0; i < signatures; ++i)
            header += "v1a," + crypto::to_base64(std::string(64, 'x')) + " ";
        return verdict(configured.only(),
                       {{{"svix-id", "m"}, {"svix-timestamp", "7"}, {"svix-signature", header}}, "{}"},
                       at_unix(7));
    };
    const auto two = configured_with(2);
    ASSERT_EQ(two.problems.report(), "");
    EXPECT_TRUE(two.only().has_dear_checks);
    EXPECT_EQ(verdict_on(two, 8), "signature_mismatch");
    EXPECT_EQ(verdict_on(configured_with(3), 5), "signature_mismatch");
    EXPECT_EQ(verdict_on(configured_with(3), 6), "too_many_signatures");
    EXPECT_EQ(verdict_on(configured_with(16), 1), "signature_mismatch");
    EXPECT_EQ(verdict_on(configured_with(16), 2), "too_many_signatures");
}

TEST(HeaderScheme, RefusesAValueThatHoldsTheTextBehindIt) {
    const auto configured = scheme(by_headers, "SLUICE_TEST_BASE64");
    const auto key = crypto::from_base64("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").value();
    const std::string text = "a.b." + std::to_string(now) + ".{}";
    const Delivery delivery{{{"Webhook-Id", "a.b"},
                             {"Webhook-Timestamp", std::to_string(now)},
                             {"Webhook-Signature", "v1," + base64_of(key, text)}},
                            "{}"};
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now)), "header_grammar");
}

TEST(PairScheme, SignsOtherPairsAndTextBehindTheBody) {
    const auto configured = scheme(pairs);
    ASSERT_EQ(configured.problems.report(), "");
    const auto of = [&](const std::string& header) {
        return verdict(configured.only(), {{{"X-Sig", header}}, "{}"}, at_unix(now));
    };
    const std::string t = std::to_string(now);
    const std::string good = hmac_hex(secret, "nonce|" + t + "|{}|end");
    EXPECT_EQ(of("n=nonce,t=" + t + ",s=" + good), "");
    EXPECT_EQ(of("t=" + t + ",s=" + good), "header_grammar");
    EXPECT_EQ(of("n=nonce,n=nonce,t=" + t + ",s=" + good), "header_grammar");
    EXPECT_EQ(of("n=no|nce,t=" + t + ",s=" + hmac_hex(secret, "no|nce|" + t + "|{}|end")), "header_grammar");
    EXPECT_EQ(of("n=,t=" + t + ",s=" + hmac_hex(secret, "|" + t + "|{}|end")), "");
}

TEST(Scheme, HasItsOwnAnswersAndFacts) {
    const auto configured = scheme(prefixed);
    EXPECT_EQ(configured.only().provider, "shop");
    EXPECT_EQ(configured.only().answers.success.status, 204);
    EXPECT_EQ(configured.only().answers.bad_signature.status, 498);
    EXPECT_EQ(configured.only().answer_within, Milliseconds{1000});
    const auto event = extracted(configured.only(), R"({"id":"1","type":"t","object":"o","created":5})");
    ASSERT_TRUE(event);
    EXPECT_EQ(event->ordering_key, "shop/eu/o");
    EXPECT_FALSE(event->headers.livemode);
    EXPECT_FALSE(event->headers.occurred_at);
    EXPECT_EQ(event->headers.event_day, record::undated);
}

TEST(Scheme, TakesABase64KeyWithoutItsPadding) {
    ::setenv("SLUICE_TEST_UNPADDED", "whsec_AQgPFh0kKzI5QEdOVVxjanF4f4aNlJuiqbC3vsXM09o", 1);
    const auto configured = scheme(by_headers, "SLUICE_TEST_UNPADDED");
    EXPECT_FALSE(configured.problems.any()) << configured.problems.report();
}

TEST(Scheme, RefusesABase64KeyThatIsNone) {
    const auto configured = scheme(by_headers, "SLUICE_TEST_FIRST");
    EXPECT_TRUE(configured.refuses("not base64 text")) << configured.problems.report();
    EXPECT_FALSE(configured.refuses("test_first"));
}

TEST(Scheme, WithoutATimestampTakesNoTolerance) {
    const Configured configured("recipes:\n  - name: mine\n    algorithm: hmac-sha256\n" + prefixed +
                                "    body: json\n    extract: {id: /id, type: /type, order_by: [], livemode: "
                                "true}\n    day: none\n    digest: none\n"
                                "sources: [{name: eu, principal: eu, recipe: mine, tolerance: 5s, " +
                                one_key + "}]\n");
    EXPECT_TRUE(configured.refuses("tolerance needs a timestamp")) << configured.problems.report();
}

}  // namespace
}  // namespace sluice::webhook::test
