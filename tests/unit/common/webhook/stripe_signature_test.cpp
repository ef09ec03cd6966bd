#include <gtest/gtest.h>

#include "tests/unit/common/webhook/fixture.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t now = 1'763'750'000;
const std::string body =
    R"({"id":"evt_1","object":"event","type":"charge.succeeded","data":{"object":{"id":"ch_1"}}})";
const std::string good = stripe_v1(secret, now, body);
const std::string bad(64, 'a');
const std::string stamp = "t=" + std::to_string(now);

std::string upper(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'f' ? static_cast<char>(c - 32) : c;
    return text;
}

std::string repeated(const std::string& element, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += "," + element;
    return text;
}

struct Case {
    std::string name;
    std::string header;
    std::string expected;  ///< "" or the check

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.header; }
};

class StripeHeader : public testing::TestWithParam<Case> {};

TEST_P(StripeHeader, GivesItsVerdict) {
    const auto configured = stripe();
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", GetParam().header}}, body}, at_unix(now)),
              GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Table, StripeHeader,
    testing::Values(
        Case{"Plain", stamp + ",v1=" + good, ""}, Case{"SignatureBeforeTime", "v1=" + good + "," + stamp, ""},
        Case{"TestTrafficWithV0", stamp + ",v1=" + good + ",v0=" + bad, ""},
        Case{"UnknownElements", stamp + ",foo=bar,v2=x,v1=" + good + ",h=", ""},
        Case{"ElementWithoutEquals", stamp + ",foo,v1=" + good, ""},
        Case{"TrailingComma", stamp + ",v1=" + good + ",", ""},
        Case{"LeadingComma", "," + stamp + ",v1=" + good, ""},
        Case{"DoubledComma", stamp + ",,v1=" + good, ""},
        Case{"RolledSecretGoodFirst", stamp + ",v1=" + good + ",v1=" + bad, ""},
        Case{"RolledSecretGoodLast", stamp + ",v1=" + bad + ",v1=" + good, ""},
        Case{"MalformedBesideGood", stamp + ",v1=xyz,v1=" + good, ""},
        Case{"EmptyBesideGood", stamp + ",v1=,v1=" + good, ""},
        Case{"UpperCaseBesideGood", stamp + ",v1=" + upper(good) + ",v1=" + good, ""},
        Case{"SameSignatureTwice", stamp + ",v1=" + good + ",v1=" + good, ""},
        Case{"EightSignatures", stamp + repeated("v1=" + bad, 7) + ",v1=" + good, ""},

        Case{"Empty", "", "header_grammar"}, Case{"NoPairs", "garbage", "header_grammar"},
        Case{"OnlyCommas", ",,,", "header_grammar"}, Case{"SignatureAlone", good, "header_grammar"},
        Case{"NoTime", "v1=" + good, "missing_timestamp"},
        Case{"TimeOfUpperCaseName", "T=" + std::to_string(now) + ",v1=" + good, "missing_timestamp"},
        Case{"TimeNameWithSpace", "v1=" + good + ", " + stamp, "missing_timestamp"},
        Case{"TwoTimes", stamp + "," + stamp + ",v1=" + good, "repeated_timestamp"},
        Case{"SecondTimeStale", stamp + ",v1=" + good + ",t=1", "repeated_timestamp"},
        Case{"EmptyTime", "t=,v1=" + good, "timestamp_grammar"},
        Case{"TimeWithSign", "t=+" + std::to_string(now) + ",v1=" + good, "timestamp_grammar"},
        Case{"NegativeTime", "t=-1,v1=" + good, "timestamp_grammar"},
        Case{"TimeWithSpace", "t= " + std::to_string(now) + ",v1=" + good, "timestamp_grammar"},
        Case{"TimeWithTail", stamp + "x,v1=" + good, "timestamp_grammar"},
        Case{"TimeWithFraction", stamp + ".0,v1=" + good, "timestamp_grammar"},
        Case{"TimeInHex", "t=0x6920aab0,v1=" + good, "timestamp_grammar"},
        Case{"TimeOfThirteenDigits", stamp + "000,v1=" + good, "timestamp_grammar"},
        Case{"TimeWithSecondEquals", "t==" + std::to_string(now) + ",v1=" + good, "timestamp_grammar"},
        Case{"TimeOfTwelveDigits", "t=999999999999,v1=" + good, "too_new"},
        Case{"TimeZero", "t=0,v1=" + good, "too_old"}, Case{"OnlyV0", stamp + ",v0=" + good, "no_signature"},
        Case{"OnlyTime", stamp, "no_signature"},
        Case{"SpaceBeforeV1", stamp + ", v1=" + good, "no_signature"},
        Case{"UpperCaseV1", stamp + ",V1=" + good, "no_signature"},
        Case{"NineSignatures", stamp + repeated("v1=" + bad, 8) + ",v1=" + good, "too_many_signatures"},
        Case{"NineEmptySignatures", stamp + repeated("v1=", 8) + ",v1=" + good, "too_many_signatures"},
        Case{"UpperCaseHex", stamp + ",v1=" + upper(good), "signature_encoding"},
        Case{"Truncated", stamp + ",v1=" + good.substr(0, 63), "signature_encoding"},
        Case{"TruncatedByAByte", stamp + ",v1=" + good.substr(0, 62), "signature_encoding"},
        Case{"OneDigitMore", stamp + ",v1=" + good + "0", "signature_encoding"},
        Case{"SpaceAfterEquals", stamp + ",v1= " + good, "signature_encoding"},
        Case{"SpaceAfterSignature", stamp + ",v1=" + good + " ,x=", "signature_encoding"},
        Case{"NotHex", stamp + ",v1=" + std::string(64, 'g'), "signature_encoding"},
        Case{"EmptySignature", stamp + ",v1=", "signature_encoding"},
        Case{"SecondEqualsInSignature", stamp + ",v1==" + good, "signature_encoding"},
        Case{"Base64", stamp + ",v1=g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "signature_encoding"},
        Case{"WrongSignature", stamp + ",v1=" + bad, "signature_mismatch"},
        Case{"SignatureOfOtherSecret", stamp + ",v1=" + stripe_v1(other_secret, now, body),
             "signature_mismatch"},
        Case{"SignatureOfOtherTime", stamp + ",v1=" + stripe_v1(secret, now - 1, body), "signature_mismatch"},
        Case{"SignatureOfBodyAlone", stamp + ",v1=" + hmac_hex(secret, body), "signature_mismatch"},
        Case{"SecretWithoutPrefix", stamp + ",v1=" + stripe_v1("test_first", now, body),
             "signature_mismatch"},
        Case{"LeadingZeroInTime", "t=0" + std::to_string(now) + ",v1=" + good, "timestamp_grammar"},
        Case{"LeadingZeroSigned",
             "t=0" + std::to_string(now) + ",v1=" + hmac_hex(secret, "0" + std::to_string(now) + "." + body),
             "timestamp_grammar"}),
    [](const auto& one) { return one.param.name; });

TEST(StripeSignature, BoundsTheHeaderAtOneKibibyte) {
    const auto configured = stripe();
    const std::string head = stamp + ",v1=" + good + ",x=";
    const std::string fits = head + std::string(1024 - head.size(), 'x');
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", fits}}, body}, at_unix(now)), "");
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", fits + "x"}}, body}, at_unix(now)),
              "header_too_long");
}

TEST(StripeSignature, WantsTheHeaderExactlyOnce) {
    const auto configured = stripe();
    const std::string header = stamp + ",v1=" + good;
    EXPECT_EQ(verdict(configured.only(), {{}, body}, at_unix(now)), "missing_header");
    EXPECT_EQ(verdict(configured.only(), {{{"X-Stripe-Signature", header}}, body}, at_unix(now)),
              "missing_header");
    EXPECT_EQ(verdict(configured.only(), {{{"stripe-signature", header}, {"STRIPE-SIGNATURE", header}}, body},
                      at_unix(now)),
              "repeated_header");
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", ""}, {"Stripe-Signature", header}}, body},
                      at_unix(now)),
              "repeated_header");
}

TEST(StripeSignature, FindsTheHeaderWhateverItsCaseAndPlace) {
    const auto configured = stripe();
    const std::string header = stamp + ",v1=" + good;
    EXPECT_EQ(verdict(configured.only(), {{{"Host", "x"}, {"sTRIPE-sIGNATURE", header}, {"A", ""}}, body},
                      at_unix(now)),
              "");
}

TEST(StripeSignature, CoversEveryByteOfTheBody) {
    const auto configured = stripe();
    const std::string header = stamp + ",v1=" + good;
    for (std::size_t i = 0; i < body.size(); ++i) {
        std::string altered = body;
        altered[i] = static_cast<char>(altered[i] ^ 1);
        ASSERT_EQ(verdict(configured.only(), {{{"Stripe-Signature", header}}, altered}, at_unix(now)),
                  "signature_mismatch")
            << i;
    }
    for (const auto& altered :
         {body + " ", body + "\n", " " + body, body.substr(1), body.substr(0, body.size() - 1), std::string{},
          body + std::string(1, '\0')}) {
        EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", header}}, altered}, at_unix(now)),
                  "signature_mismatch");
    }
}

TEST(StripeSignature, RefusesABodyPrintedAnew) {
    const auto configured = stripe();
    const std::string pretty = "{\n  \"id\": \"evt_1\"\n}";
    const std::string header = stripe_header(secret, now, pretty);
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", header}}, pretty}, at_unix(now)), "");
    EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", header}}, R"({"id":"evt_1"})"}, at_unix(now)),
              "signature_mismatch");
}

TEST(StripeSignature, VerifiesBodiesThatAreNoText) {
    const auto configured = stripe();
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    for (const auto& any : {std::string{}, bytes, std::string(1 << 20, '\0')}) {
        EXPECT_EQ(verdict(configured.only(), {{{"Stripe-Signature", stripe_header(secret, now, any)}}, any},
                          at_unix(now)),
                  "");
    }
}

TEST(StripeSignature, LetsTheExactToleranceThroughOnBothSides) {
    const auto configured = stripe();
    const Delivery delivery{{{"Stripe-Signature", stripe_header(secret, now, body)}}, body};
    const auto at = [&](std::int64_t seconds, std::int64_t micros = 0) {
        return verdict(configured.only(), delivery, at_unix(now + seconds, micros));
    };
    EXPECT_EQ(at(299), "");
    EXPECT_EQ(at(300), "");
    EXPECT_EQ(at(300, 999'999), "");
    EXPECT_EQ(at(301), "too_old");
    EXPECT_EQ(at(-300), "");
    EXPECT_EQ(at(-300, -1), "too_new");
    EXPECT_EQ(at(-301), "too_new");
}

TEST(StripeSignature, TakesTheSourcesOwnTolerance) {
    const auto configured = stripe("tolerance: 5s");
    const Delivery delivery{{{"Stripe-Signature", stripe_header(secret, now, body)}}, body};
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now + 5)), "");
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now + 6)), "too_old");
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now - 5)), "");
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now - 6)), "too_new");
}

TEST(StripeSignature, IsOfAnyAgeWhereTheSourceSaysSo) {
    const auto configured = stripe("tolerance: none");
    const Delivery delivery{{{"Stripe-Signature", stripe_header(secret, now, body)}}, body};
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now + 4 * 86'400)), "");
    EXPECT_EQ(verdict(configured.only(), delivery, at_unix(now - 4 * 86'400)), "");
    const Delivery odd{{{"Stripe-Signature", "t=soon,v1=" + std::string(64, '0')}}, body};
    EXPECT_EQ(verdict(configured.only(), odd, at_unix(now)), "timestamp_grammar");
}

// Computed with Python's hmac, not with this code.
TEST(StripeSignature, AgreesWithValuesFromElsewhere) {
    struct Vector {
        std::string secret;
        std::int64_t t;
        std::string body;
        std::string v1;
    };
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    const std::vector<Vector> vectors{
        {"whsec_test_first", 1763750000, R"({"id":"evt_1","object":"event"})",
         "4f16d2e9db2182a40912ae288b5ac5d2636e72ec22c4772d67addb91447cc2aa"},
        {"whsec_test_first", 0, "", "5e09b1fe5bcaf2671d1e0309d2271e27e9b86ee9cddeb6926972b995f6facee1"},
        {"whsec_8PnXyq0WvJ4kT2cRzLb1", 1763750000, "{\"id\":\"evt_2\",\"name\":\"Zo\xC3\xAB \xE4\xBD\xA0\"}",
         "862f2c83761e5f3f7cd9fcb9ed9f62a0e3a2951571a4a9d23a66f26de2dbc47b"},
        {"whsec_test_first", 1763750000, "{\n  \"id\": \"evt_3\",\n  \"amount\": 1.10\n}\n",
         "7a81c5b71437b9ef041bfe5360d2eb09b4e3a16d0d2b1e366a6493200b89a278"},
        {"whsec_" + std::string(100, 'k'), 1763750001, std::string(4096, 'x'),
         "1c0eccbb367cbe3e98df9f7434ba9186ef12d6080599b5c9b1c37d7829625b4f"},
        {"whsec_test_first", 999999999999, bytes,
         "01df77e35ad61bda469c1cc3a3dd224f7ea5316a6f698c5b29e547f4036ecbae"},
    };
    for (const auto& vector : vectors) {
        ::setenv("SLUICE_TEST_VECTOR", vector.secret.c_str(), 1);
        const auto configured = stripe("", "keys: [{id: a, value: {env: SLUICE_TEST_VECTOR}}]");
        const std::string header = "t=" + std::to_string(vector.t) + ",v1=" + vector.v1;
        EXPECT_EQ(
            verdict(configured.only(), {{{"Stripe-Signature", header}}, vector.body}, at_unix(vector.t)), "")
            << vector.t;
    }
}

}  // namespace
}  // namespace sluice::webhook::test
