#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "common/webhook/recipe_file/recipe_set.hpp"
#include "tests/unit/common/webhook/recipe_lines.hpp"

namespace sluice::webhook::test {
namespace {

constexpr std::int64_t now = 1'763'750'000;

TEST(Recipe, OfAUserWorksLikeABuiltInOne) {
    const auto configured = Lines{}.read();
    ASSERT_EQ(configured.problems.report(), "");
    EXPECT_EQ(configured.only().provider, "mine");
    const std::string header =
        "at:" + std::to_string(now) + ";s:" + hmac_hex(secret, std::to_string(now) + "|{}");
    const auto at = [&](std::int64_t t) {
        return verdict(configured.only(), {{{"x-sig", header}}, "{}"}, at_unix(t));
    };
    EXPECT_EQ(at(now), "");
    EXPECT_EQ(at(now + 60), "");
    EXPECT_EQ(at(now + 61), "too_old");
    EXPECT_EQ(at(now - 10), "");
    EXPECT_EQ(at(now - 11), "too_new");
}

struct WrongLine {
    std::string name;
    int line;
    std::string Lines::* which;
    std::string text;
    std::string sentence;

    friend void PrintTo(const WrongLine& wrong, std::ostream* out) { *out << wrong.name; }
};

class WrongRecipe : public testing::TestWithParam<WrongLine> {};

TEST_P(WrongRecipe, IsRefusedWithItsLine) {
    Lines lines;
    lines.*GetParam().which = GetParam().text;
    const auto configured = lines.read();
    EXPECT_TRUE(configured.refuses(GetParam().sentence)) << configured.problems.report();
    EXPECT_TRUE(configured.refuses("sluice.yaml:" + std::to_string(GetParam().line)))
        << configured.problems.report();
    EXPECT_TRUE(configured.sources.empty());
    EXPECT_FALSE(configured.refuses("there is no recipe")) << configured.problems.report();
}

INSTANTIATE_TEST_SUITE_P(
    Unsafe, WrongRecipe,
    testing::Values(
        WrongLine{"WindowWithoutPast", 6, &Lines::timestamp,
                  "timestamp: {pair: at, unit: s, window: {future: 10s}}", "no bound for \"past\""},
        WrongLine{"WindowWithoutFuture", 6, &Lines::timestamp,
                  "timestamp: {pair: at, unit: s, window: {past: 10s}}", "no bound for \"future\""},
        WrongLine{"IdThatNobodySigned", 2, &Lines::extract,
                  "extract: {id: {header: X-Id}, type: /type, order_by: [], livemode: true}",
                  "the id is read from header X-Id"},
        WrongLine{"IdPartlySigned", 2, &Lines::extract,
                  "extract: {id: {join: [/id, {header: X-Id}]}, type: /type, order_by: [], livemode: true}",
                  "the id is read from header X-Id"},
        WrongLine{"TypeThatNobodySigned", 2, &Lines::extract,
                  "extract: {id: /id, type: [/type, {query: type}], order_by: [], livemode: true}",
                  "the type is read from query type"},
        WrongLine{"ObjectThatNobodySigned", 2, &Lines::extract,
                  "extract: {id: /id, type: /type, order_by: [/o, {header: X-O}], livemode: true}",
                  "the object is read from header X-O"},
        WrongLine{"TimeThatNobodySigned", 2, &Lines::extract,
                  "extract: {id: /id, type: /type, order_by: [], livemode: true, time: {header: X-At, forms: "
                  "[unix]}}",
                  "the time is read from header X-At"},
        WrongLine{"DayThatNobodySigned", 2, &Lines::day, "day: {header: X-At, forms: [unix]}",
                  "the day is read from header X-At"},
        WrongLine{"ModeOfNoSetting", 2, &Lines::extract,
                  "extract: {id: /id, type: /type, order_by: [], livemode: {setting: mode, is: live}}",
                  "setting \"mode\""},
        WrongLine{"NoWindow", 6, &Lines::timestamp, "timestamp: {pair: at, unit: s}", "window is missing"},
        WrongLine{"WindowTooWide", 6, &Lines::timestamp,
                  "timestamp: {pair: at, unit: s, window: {past: 2h, future: 1s}}", "past"},
        WrongLine{"WindowOfNothing", 6, &Lines::timestamp,
                  "timestamp: {pair: at, unit: s, window: {past: 0s, future: 1s}}", "past"},
        WrongLine{"WindowOfFraction", 6, &Lines::timestamp,
                  "timestamp: {pair: at, unit: s, window: {past: 1500ms, future: 1s}}", "whole seconds"},
        WrongLine{"AlgorithmFromMessage", 3, &Lines::algorithm, "algorithm: {header: X-Alg}",
                  "never taken from the message"},
        WrongLine{"AlgorithmOfPair", 3, &Lines::algorithm, "algorithm: [hmac-sha256, hmac-sha1]",
                  "never taken from the message"},
        WrongLine{"SignsNothing", 7, &Lines::signed_text, "signed: []", "cover nothing"},
        WrongLine{"BodyNotSigned", 2, &Lines::signed_text, "signed: [timestamp, {literal: x}]",
                  "does not cover the body"},
        WrongLine{"LiteralOnly", 2, &Lines::signed_text, "signed: [{literal: x}]", "does not cover the body"},
        WrongLine{"TimestampNotSigned", 2, &Lines::signed_text, "signed: [body]",
                  "does not cover the timestamp"},
        WrongLine{"NoLiteralBetween", 7, &Lines::signed_text, "signed: [timestamp, body]",
                  "need a literal between"},
        WrongLine{"DigitBehindTimestamp", 7, &Lines::signed_text, "signed: [timestamp, {literal: '0'}, body]",
                  "begin with a digit"},
        WrongLine{"BodyNotLast", 7, &Lines::signed_text, "signed: [body, {literal: x}, timestamp]",
                  "only literals may follow"},
        WrongLine{"BodyTwice", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x}, body, {literal: x}, body]", "twice"},
        WrongLine{"SignatureSignsItself", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x}, {pair: s}, {literal: x}, body]",
                  "part of what it signs"},
        WrongLine{"HeaderSignsItself", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x}, {header: x-sig}, {literal: x}, body]",
                  "part of what it signs"},
        WrongLine{"TimeIsTheSignature", 2, &Lines::timestamp,
                  "timestamp: {pair: s, unit: s, window: {past: 9s, future: 9s}}", "part of what it signs"},
        WrongLine{"TimestampOfNone", 2, &Lines::timestamp, "timestamp: none", "but timestamp is none"},
        WrongLine{"TrustOfNoChecksum", 2, &Lines::more, "trust: crc", "CRC-32"},
        WrongLine{"TokenThatSigns", 2, &Lines::algorithm, "algorithm: equal", "a token covers nothing"},
        WrongLine{"SettingBehindTimestamp", 7, &Lines::signed_text,
                  "signed: [timestamp, {setting: url}, body]", "may begin with a digit"},
        WrongLine{"GroupBehindVariable", 7, &Lines::signed_text,
                  "signed: [timestamp, {group: [{literal: x}], if: {query: a}}, {literal: y}, body]",
                  "must begin and end with a literal"},
        WrongLine{"GroupEndsWithVariable", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x}, {group: [{literal: y}, {query: a}], if: {query: a}}, "
                  "{literal: z}, body]",
                  "must begin and end with a literal"},
        WrongLine{
            "TextThatIsNoToken", 2, &Lines::signature,
            "signature: {header: X-Sig, container: {pairs: {sep: ';', kv: ':', key: s}}, encoding: text}",
            "is only for tokens"},
        WrongLine{"PairWithoutPairs", 2, &Lines::signature,
                  "signature: {header: X-Sig, container: raw, encoding: hex}", "has no pairs"}),
    [](const auto& one) { return one.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Unknown, WrongRecipe,
    testing::Values(
        WrongLine{"Algorithm", 3, &Lines::algorithm, "algorithm: md5", "\"md5\" is not supported"},
        WrongLine{"AlgorithmOfOtherKeys", 4, &Lines::algorithm, "algorithm: ed25519",
                  "do not fit this algorithm"},
        WrongLine{"AlgorithmMissing", 2, &Lines::algorithm, "title: x", "algorithm"},
        WrongLine{"KeyForm", 4, &Lines::keys, "keys: {form: x509-pem}", "x509-pem"},
        WrongLine{"KeyChoice", 4, &Lines::keys, "keys: {form: text, choose: by_header}", "choose"},
        WrongLine{
            "Encoding", 5, &Lines::signature,
            "signature: {header: X-Sig, container: {pairs: {sep: ';', kv: ':', key: s}}, encoding: base32}",
            "base32"},
        WrongLine{"EncodingMissing", 5, &Lines::signature,
                  "signature: {header: X-Sig, container: {pairs: {sep: ';', kv: ':', key: s}}}", "encoding"},
        WrongLine{"Container", 5, &Lines::signature,
                  "signature: {header: X-Sig, container: {versions: v1}, encoding: hex}",
                  "container must have one of prefix, pairs and labelled"},
        WrongLine{"ContainerWord", 5, &Lines::signature,
                  "signature: {header: X-Sig, container: json, encoding: hex}", "raw"},
        WrongLine{"ContainerMissing", 5, &Lines::signature, "signature: {header: X-Sig, encoding: hex}",
                  "container is missing"},
        WrongLine{
            "LongSeparator", 5, &Lines::signature,
            "signature: {header: X-Sig, container: {pairs: {sep: '::', kv: ':', key: s}}, encoding: hex}",
            "one character"},
        WrongLine{
            "EqualSeparators", 5, &Lines::signature,
            "signature: {header: X-Sig, container: {pairs: {sep: ':', kv: ':', key: s}}, encoding: hex}",
            "must be different characters"},
        WrongLine{
            "HeaderName", 5, &Lines::signature,
            "signature: {header: 'X Sig', container: {pairs: {sep: ';', kv: ':', key: s}}, encoding: hex}",
            "header's name"},
        WrongLine{
            "ManyCandidates", 5, &Lines::signature,
            "signature: {header: X-Sig, container: {pairs: {sep: ';', kv: ':', key: s}}, encoding: hex, "
            "most: 9}",
            "most"},
        WrongLine{"SignatureKey", 5, &Lines::signature,
                  "signature: {header: X-Sig, forn: y, container: {pairs: {sep: ';', kv: ':', key: s}}, "
                  "encoding: hex}",
                  "not a known key"},
        WrongLine{"Unit", 6, &Lines::timestamp,
                  "timestamp: {pair: at, unit: h, window: {past: 60s, future: 10s}}", "\"h\""},
        WrongLine{"WindowEnds", 6, &Lines::timestamp,
                  "timestamp: {pair: at, unit: s, window: {past: 60s, future: 10s, ends: open}}", "ends"},
        WrongLine{"TimestampWord", 6, &Lines::timestamp, "timestamp: now", "or none"},
        WrongLine{"TimestampTwice", 6, &Lines::timestamp,
                  "timestamp: {pair: at, header: X-At, unit: s, window: {past: 60s, future: 10s}}",
                  "give either pair or header"},
        WrongLine{"TimestampMissing", 2, &Lines::timestamp, "title: x", "timestamp is missing"},
        WrongLine{"SignedWord", 7, &Lines::signed_text, "signed: [timestamp, url, body]", "body, timestamp"},
        WrongLine{"SignedPart", 7, &Lines::signed_text, "signed: [timestamp, {cookie: id}, body]",
                  "body, timestamp"},
        WrongLine{"SignedGroupInGroup", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x}, {group: [{literal: y}, {group: [{literal: z}], if: "
                  "{query: a}}], "
                  "if: {query: a}}, {literal: x}, body]",
                  "cannot contain a group"},
        WrongLine{"SignedGroupWithoutIf", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x}, {group: [{literal: y}]}, body]",
                  "if must name a header"},
        WrongLine{"SignedAnyOfThree", 7, &Lines::signed_text, "signed: {any_of: [[body], [body], [body]]}",
                  "one or two readings"},
        WrongLine{"SignedChoiceOfNothing", 2, &Lines::signed_text,
                  "signed: {by: kind, choices: {a: [timestamp, {literal: x}, body]}}", "setting \"kind\""},
        WrongLine{"SignedSetting", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x}, {setting: url}, body]", "setting \"url\""},
        WrongLine{"SignedPartTwice", 7, &Lines::signed_text,
                  "signed: [timestamp, {literal: x, pair: y}, body]", "not a known key"},
        WrongLine{"Body", 8, &Lines::body, "body: xml", "body must be json, form"},
        WrongLine{"ExtractKey", 9, &Lines::extract,
                  "extract: {id: /id, type: /type, order_by: [], livemode: true, version: /v}",
                  "not a known key"},
        WrongLine{"ExtractPointer", 9, &Lines::extract,
                  "extract: {id: id, type: /type, order_by: [], livemode: true}", "JSON pointer"},
        WrongLine{"ExtractDelivery", 9, &Lines::extract,
                  "extract: {id: /id, type: /type, order_by: [], livemode: true, delivery: [/object]}",
                  "header is missing"},
        WrongLine{"ExtractNoHeader", 9, &Lines::extract,
                  "extract: {id: {header: []}, type: /type, order_by: [], livemode: true}",
                  "header is missing"},
        WrongLine{"ExtractWithoutOrder", 9, &Lines::extract,
                  "extract: {id: /id, type: /type, livemode: true}", "order_by is missing"},
        WrongLine{"ExtractWithoutMode", 9, &Lines::extract, "extract: {id: /id, type: /type, order_by: []}",
                  "livemode is missing"},
        WrongLine{"ModeWithoutAbsent", 9, &Lines::extract,
                  "extract: {id: /id, type: /type, order_by: [], livemode: {pointer: /live}}",
                  "absent is missing"},
        WrongLine{"TimeForm", 9, &Lines::extract,
                  "extract: {id: /id, type: /type, order_by: [], livemode: true, time: {pointer: /at, forms: "
                  "[iso]}}",
                  "unix, unix-ms and rfc3339"},
        WrongLine{"DayMissing", 2, &Lines::day, "title: x", "day is missing"},
        WrongLine{"DayWord", 10, &Lines::day, "day: /created", "none, or"},
        WrongLine{"DigestMissing", 2, &Lines::digest, "title: x", "digest is missing"},
        WrongLine{"DigestNoneFirst", 11, &Lines::digest, "digest: [none, [/a]]", "none must come last"},
        WrongLine{"DigestFlat", 11, &Lines::digest, "digest: [/type, /data]", "list of pointers"},
        WrongLine{"DigestOfNothing", 11, &Lines::digest, "digest: [[]]", "at least one"},
        WrongLine{"Setting", 12, &Lines::more, "with: {url: text}", "must be a mapping"},
        WrongLine{"SettingName", 12, &Lines::more, "with: {'the url': {}}", "a setting's name"},
        WrongLine{"SettingStandard", 12, &Lines::more, "with: {url: {one_of: [a, b], default: c}}",
                  "must be one of those"},
        WrongLine{"Trust", 12, &Lines::more, "trust: some", "trust"},
        WrongLine{"Require", 12, &Lines::more, "require: ['X Id']", "header's name"},
        WrongLine{"KeyChosenByNothing", 12, &Lines::more, "choose_key: {}", "header is missing"},
        WrongLine{"Join", 9, &Lines::extract,
                  "extract: {id: {join: []}, type: /type, order_by: [], livemode: true}", "one to four"},
        WrongLine{"SuccessOfFailure", 12, &Lines::more, "answers: {success: {status: 404}}", "status"},
        WrongLine{"FailureOfSuccess", 12, &Lines::more, "answers: {bad_signature: {status: 200}}", "status"},
        WrongLine{"BodyWithoutType", 12, &Lines::more, "answers: {success: {body: ok}}", "both be given"},
        WrongLine{"BodyOfNoContent", 12, &Lines::more,
                  "answers: {success: {status: 204, body: ok, type: text/plain}}", "204"},
        WrongLine{"TypeWithLineEnd", 12, &Lines::more, R"(answers: {success: {body: ok, type: "a\r\nb"}})",
                  "media type"},
        WrongLine{"Provider", 12, &Lines::more, "provider: A/B", "provider's name"},
        WrongLine{"DisabledAtOnce", 12, &Lines::more, "answers: {disabled_after: 5m}", "disabled_after"},
        WrongLine{"Budget", 12, &Lines::more, "answer_within: 1ms", "answer_within"}),
    [](const auto& one) { return one.param.name; });

TEST(Recipe, StandsInAList) {
    EXPECT_TRUE(
        Configured("recipes: {name: x}\nsources: [{name: a, principal: a, recipe: stripe, " + one_key + "}]")
            .refuses("list of mappings"));
}

TEST(Recipe, CannotReplaceAnother) {
    Lines lines;
    lines.more =
        "with: {}\n  - name: mine\n    algorithm: hmac-sha256\n    keys: {form: text}\n    "
        "signature: {header: S, container: raw, encoding: hex}\n    timestamp: none\n    signed: [body]\n    "
        "body: json\n    " +
        lines.extract + "\n    day: none\n    digest: none";
    EXPECT_TRUE(lines.read().refuses("there is already a recipe \"mine\""));
    auto renamed = lines.more;
    renamed.replace(renamed.find("name: mine"), 10, "name: stripe");
    lines.more = renamed;
    EXPECT_TRUE(lines.read().refuses("there is already a built-in recipe \"stripe\""));
}

/// Each is read when it is asked for, from the file that has its name.
TEST(Recipe, ThatIsBuiltInIsAloneInAFileOfItsName) {
    const auto& builtin = RecipeSet::builtin();
    const auto all = builtin.all();
    ASSERT_EQ(all.size(), builtin_files().size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].name + ".yaml", builtin_files()[i].name);
    EXPECT_EQ(builtin.find("adyen"), builtin.find("adyen"));
    EXPECT_EQ(builtin.find("adyen.yaml"), nullptr);
    EXPECT_TRUE(builtin.names().starts_with("adyen-platform, adyen, ")) << builtin.names();
}

TEST(Recipe, ThatIsRefusedDoesNotMakeItsSourcesWrongToo) {
    Lines lines;
    lines.body = "body: xml";
    const auto configured = lines.read();
    EXPECT_EQ(configured.problems.errors().size(), 1U) << configured.problems.report();
}

/// A header that is signed where it is there, as Svix has it.
Lines with_headers(const std::string& names, const std::string& id) {
    Lines lines;
    lines.signed_text = "signed: [{header: " + names + "}, {literal: '|'}, timestamp, {literal: '|'}, body]";
    lines.extract = "extract: {id: " + id + ", type: /type, order_by: [], livemode: true}";
    return lines;
}

TEST(UnsignedFacts, MayBeReadFromHeadersThatAreSigned) {
    EXPECT_EQ(with_headers("X-Id", "{header: x-id}").read().problems.report(), "");
    EXPECT_EQ(with_headers("[X-Id, Y-Id]", "[{header: X-Id}, {header: Y-Id}]").read().problems.report(), "");
    EXPECT_TRUE(with_headers("[X-Id, Y-Id]", "{header: Y-Id}").read().refuses("read from header Y-Id"))
        << "X-Id is signed where both are there";
}

TEST(UnsignedFacts, NeedATrustThatEffectsName) {
    Lines lines;
    lines.extract =
        "extract: {id: {join: [{header: X-Type}, {sha256: body}]}, type: {header: X-Type}, order_by: [], "
        "livemode: true}";
    lines.more = "trust: type";
    EXPECT_EQ(lines.read().problems.report(), "");
    lines.extract = "extract: {id: {header: X-Id}, type: {header: X-Type}, order_by: [], livemode: true}";
    EXPECT_TRUE(lines.read().refuses("the id is read from header X-Id")) << "the id is no type";
    lines.more = "trust: none";
    EXPECT_EQ(lines.read().problems.report(), "");
}

std::string adyen(const std::string& more) {
    return "sources:\n  - {name: eu, principal: eu, recipe: adyen, keys: [{id: a, value: {env: "
           "SLUICE_TEST_HEX}}]" +
           more + "}\n";
}

TEST(UnsignedFacts, OfItemsAreThoseThatNoSignatureHolds) {
    ::setenv("SLUICE_TEST_HEX", std::string(64, 'a').c_str(), 1);
    const std::string account = ", with: {merchant_account: a, environment: live}";
    const Configured good(adyen(account));
    ASSERT_EQ(good.problems.report(), "");
    EXPECT_TRUE(std::ranges::contains(good.only().signed_fields, "/amount/value"));
    EXPECT_FALSE(std::ranges::contains(good.only().signed_fields, "/eventDate"));
    EXPECT_EQ(Configured(adyen(account + ", order_by: [/merchantReference]")).problems.report(), "");
    EXPECT_TRUE(Configured(adyen(account + ", order_by: [/additionalData/x]")).refuses("/additionalData/x"));
    EXPECT_TRUE(Configured(adyen(", with: {merchant_account: a}")).refuses("environment"));
}

}  // namespace
}  // namespace sluice::webhook::test
