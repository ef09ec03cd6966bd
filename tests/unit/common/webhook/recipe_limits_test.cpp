// Recipes that ask for too much, too little or what cannot be.
#include <gtest/gtest.h>

#include "tests/unit/common/webhook/recipe_lines.hpp"

namespace sluice::webhook::test {
namespace {

struct Refused {
    std::string name;
    std::string Lines::* which;
    std::string text;
    std::string sentence;

    friend void PrintTo(const Refused& refused, std::ostream* out) { *out << refused.name; }
};

class RefusedRecipe : public testing::TestWithParam<Refused> {};

TEST_P(RefusedRecipe, SaysWhy) {
    Lines lines;
    lines.*GetParam().which = GetParam().text;
    const auto configured = lines.read();
    EXPECT_TRUE(configured.refuses(GetParam().sentence)) << configured.problems.report();
    EXPECT_TRUE(configured.sources.empty());
}

/// "/a0, /a1, …"
std::string times(int count, const std::string& text, const std::string& behind = "") {
    std::string all;
    for (int i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + text + std::to_string(i) + behind;
    return all;
}

std::string extract_with(const std::string& id, const std::string& more = "") {
    return "extract: {id: " + id + ", type: /type, order_by: [], livemode: true" + more + "}";
}

std::string time_of(const std::string& time) {
    return extract_with("/id", ", time: " + time);
}

std::string signature_with(const std::string& header, const std::string& more) {
    return "signature: {" + header + ", container: {pairs: {sep: ';', kv: ':', key: s}}, encoding: hex" +
           more + "}";
}

std::string name_of_test(const testing::TestParamInfo<Refused>& one) {
    return one.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Reading, RefusedRecipe,
    testing::Values(
        Refused{"ExtractMissing", &Lines::extract, "title: x", "extract is missing"},
        Refused{"TypeMissing", &Lines::extract, "extract: {id: /id, order_by: [], livemode: true}",
                "type is missing"},
        Refused{"FactOfNothing", &Lines::extract, extract_with("{integer: true}"), "pointer is missing"},
        Refused{"NoAlternative", &Lines::extract, extract_with("[]"),
                "there must be one to four alternatives"},
        Refused{"FiveAlternatives", &Lines::extract, extract_with("[" + times(5, "/a") + "]"),
                "there must be one to four alternatives"},
        Refused{"FiveJoined", &Lines::extract, extract_with("{join: [" + times(5, "/a") + "]}"),
                "one to four facts"},
        Refused{"TemplateWithoutBraces", &Lines::extract, extract_with("{template: /links}"),
                "pointer in braces"},
        Refused{"TemplateBackwards", &Lines::extract, extract_with("{template: '/a}/{'}"),
                "pointer in braces"},
        Refused{"TemplateOfTheWhole", &Lines::extract, extract_with("{template: '/a/{}'}"),
                "pointer in braces"},
        Refused{"TemplateOfNoPointer", &Lines::extract, extract_with("{template: '/a/{b}'}"),
                "pointer in braces"},
        Refused{"TemplateFromNowhere", &Lines::extract, extract_with("{template: 'a/{/b}'}"),
                "pointer in braces"},
        Refused{"DigestOfTheWrongField", &Lines::extract, extract_with("{sha256: {form: data}}"),
                "the field that contains the body"},
        Refused{"NoForm", &Lines::extract, time_of("{pointer: /at, forms: []}"), "forms must be a list"},
        Refused{"TwoUnits", &Lines::extract, time_of("{pointer: /at, forms: [unix, unix-ms]}"),
                "give either unix or unix-ms"},
        Refused{"Zone", &Lines::extract, time_of("{pointer: /at, forms: [rfc3339], zone: Paris}"),
                "an offset from UTC"},
        Refused{"NoTime", &Lines::extract, time_of("[]"), "there must be one to four fields"},
        Refused{"NoDay", &Lines::day, "day: []", "there must be one to four fields"},
        Refused{"DigestOfNine", &Lines::digest, "digest: [[" + times(9, "/a") + "]]", "at most eight"},
        Refused{"DigestOfNoPointer", &Lines::digest, "digest: [[a]]", "a JSON pointer"},
        Refused{"NoDigest", &Lines::digest, "digest: []", "one to eight alternatives"},
        Refused{"FieldsDigestOfAll", &Lines::digest, "digest: {all_but: []}", "one to eight names"},
        Refused{"FieldsDigestOfNine", &Lines::digest, "digest: {all_but: [" + times(9, "f") + "]}",
                "one to eight names"},
        Refused{"BodyMissing", &Lines::body, "title: x", "body is missing"}),
    name_of_test);

INSTANTIATE_TEST_SUITE_P(
    Signed, RefusedRecipe,
    testing::Values(
        Refused{"Missing", &Lines::signed_text, "title: x", "signed is missing"},
        Refused{"Word", &Lines::signed_text, "signed: all", "signed must be a list of parts, or nothing"},
        Refused{"TooManyParts", &Lines::signed_text,
                "signed: [timestamp, {literal: '|'}, body, " + times(22, "{literal: a", "}") + "]",
                "at most 24 parts"},
        Refused{"NoReading", &Lines::signed_text, "signed: {any_of: []}", "one or two readings"},
        Refused{"NoChoice", &Lines::signed_text, "signed: {by: mode, choices: {}}", "choices is missing"},
        Refused{"ChoiceOfNothing", &Lines::signed_text,
                "signed: {by: mode, choices: {a: [timestamp, {literal: '|'}, body]}}", "setting \"mode\""},
        Refused{
            "LongName", &Lines::signed_text,
            "signed: [timestamp, {literal: '|'}, {pair: " + std::string(65, 'p') + "}, {literal: '|'}, body]",
            "at most 64 bytes"},
        Refused{
            "FiveNames", &Lines::signed_text,
            "signed: [timestamp, {literal: '|'}, {header: [" + times(5, "X-") + "]}, {literal: '|'}, body]",
            "there must be at most four names"},
        Refused{"NineDropped", &Lines::signed_text,
                "signed: [{form: {drop: [" + times(9, "f") + "], blank: keep}}]",
                "drop must list at most eight names"},
        Refused{"ItemWithoutItems", &Lines::signed_text,
                "signed: [timestamp, {literal: '|'}, {item: /a}, {literal: '|'}, body]",
                "needs signed: each"},
        Refused{
            "GroupThatEndsOpen", &Lines::signed_text,
            "signed: [timestamp, {literal: '|'}, body, {group: [{literal: a}, {query: q}], if: {query: q}}]",
            "a group must begin and end with a literal"},
        Refused{"OnlyWithAPair", &Lines::signed_text,
                "signed: [timestamp, {literal: '|'}, {group: [{literal: a}], if: {pair: p}}, body]",
                "if must name a header or a parameter"}),
    name_of_test);

INSTANTIATE_TEST_SUITE_P(
    Scheme, RefusedRecipe,
    testing::Values(
        Refused{"KeysMissing", &Lines::keys, "title: x", "keys is missing"},
        Refused{"NoKeyRule", &Lines::keys, "keys: []", "keys must have at least one rule"},
        Refused{"KeyRulesThatLookAlike", &Lines::keys, "keys: [{form: text}, {form: base64}]",
                "begins is missing"},
        Refused{"HeaderAndForm", &Lines::signature, signature_with("header: X-Sig, form: sign", ""),
                "give either header or form"},
        Refused{"NineRequired", &Lines::more, "require: [" + times(9, "X-") + "]", "at most eight"},
        Refused{"AllFieldsRequired", &Lines::more, "require: [{form: {drop: [sign], blank: keep}}]",
                "form must be the name of one field"},
        Refused{"BoundToNothing", &Lines::more, "bind: [{form: account, setting: account}]",
                "setting \"account\""},
        Refused{"BoundToAList", &Lines::more,
                "with: {account: {kind: list}}\n    bind: [{form: account, setting: account}]",
                "setting \"account\""},
        Refused{"NineBound", &Lines::more,
                "with: {a: {}}\n    bind: [" + times(9, "{setting: a, form: f", "}") + "]", "at most eight"},
        Refused{"EncryptedWithText", &Lines::body, "body: {json: {decrypt: /resource, key: nothing}}",
                "must be a setting of kind secret"},
        Refused{"LongType", &Lines::more,
                "answers: {success: {body: ok, type: text/" + std::string(300, 'x') + "}}", "media type"},
        Refused{"LongBody", &Lines::more,
                "answers: {success: {type: text/plain, body: " + std::string(4097, 'x') + "}}",
                "body must have at most 4 KiB"},
        Refused{"ChallengeOfAnother", &Lines::more, "challenge: {query: bt_challenge}", "hmac-sha1"},
        Refused{"TokenThatCovers", &Lines::algorithm, "algorithm: equal", "a token covers nothing"}),
    name_of_test);

INSTANTIATE_TEST_SUITE_P(
    Settings, RefusedRecipe,
    testing::Values(
        Refused{"LongText", &Lines::more, "with: {url: {default: " + std::string(1025, 'x') + "}}",
                "a setting can have at most 1024 bytes"},
        Refused{"ListMissing", &Lines::more, "with: {hosts: {kind: list}}", "a list of 1 to 16"},
        Refused{"SecretMissing", &Lines::more, "with: {key: {kind: secret, bytes: 32}}", "key is missing"},
        Refused{"CertificatesMissing", &Lines::more, "with: {roots: {kind: certificates}}",
                "roots is missing"},
        Refused{"FolderMissing", &Lines::more, "with: {cache: {kind: folder}}", "cache"}),
    name_of_test);

TEST(Recipe, HasRoomForSoManyInputs) {
    Lines lines;
    const auto reading = [](const std::string& name) {
        return "[" + times(10, "{header: " + name, "}, {literal: '|'}") +
               ", timestamp, {literal: '|'}, body]";
    };
    lines.signed_text = "signed: {any_of: [" + reading("A") + ", " + reading("B") + "]}";
    EXPECT_EQ(lines.read().problems.report(), "");
    lines.more = "require: [X-1, X-2]";
    EXPECT_TRUE(lines.read().refuses("at most 23 headers, pairs and parameters"))
        << lines.read().problems.report();
}

TEST(SourceSettings, AreBounded) {
    const auto refuses = [](const std::string& rule, const std::string& value, const std::string& sentence) {
        Lines lines;
        lines.more = "with: {it: " + rule + "}";
        lines.source = one_key + "\n    with: {it: " + value + "}";
        const auto configured = lines.read();
        EXPECT_TRUE(configured.refuses(sentence)) << value << '\n' << configured.problems.report();
    };
    refuses("{one_of: [a, b]}", "c", "it must be one of: a, b");
    refuses("{kind: list}", "[" + times(17, "x") + "]", "1 to 16");
    refuses("{kind: list}", "['']", "1 to 16");
    refuses("{kind: list}", "[" + std::string(1025, 'x') + "]", "1 to 16");
    refuses("{kind: secret, bytes: 32}", "{env: SLUICE_TEST_FIRST}", "it must have 32 bytes");
    refuses("{kind: certificates}", "{file: /nowhere/at/all}", "cannot be read");
    refuses("{kind: folder}", "/nowhere/at/all", "cannot be read");
}

TEST(Recipe, TakesWhatIsRareToo) {
    Lines lines;
    lines.signature = signature_with("header: X-Sig", "");
    lines.timestamp = "timestamp: {pair: at, unit: ms, window: {past: 60s, future: 10s}}";
    lines.signed_text = "signed: [{header: X-Time}, {literal: '|'}, timestamp, {literal: '|'}, body]";
    lines.extract =
        "extract: {id: {sha256: /id}, type: {template: '/names/{/kind}', cut: first-word}, order_by: "
        "/object, "
        "livemode: {pointer: /live, absent: true}, time: [{header: X-Time, forms: [unix-ms]}, "
        "{pointer: /at, forms: [rfc3339], zone: '+08:00'}]}";
    lines.day = "day: {pointer: /at, forms: [rfc3339], zone: '+08:00'}";
    lines.more = "require: X-Required\n    with: {url: {default: x}}";
    const auto configured = lines.read();
    ASSERT_EQ(configured.problems.report(), "");
    JsonView view;
    const auto read = [&](const std::string& time, const std::string& body) {
        const std::vector<HeaderField> headers{{"X-Time", time}};
        return extract(configured.only(), {"POST", "/", headers, body}, view);
    };
    const std::string body =
        R"({"id":"e","kind":"done.now","names":{"done":"finished"},"at":"2026-11-21 18:46:31"})";
    const auto event = read("1795258000123", body);
    ASSERT_TRUE(event);
    EXPECT_EQ(event->headers.type, "finished");
    EXPECT_EQ(event->headers.occurred_at, at_unix(1'795'258'000, 123'000));
    EXPECT_EQ(to_text(event->headers.event_day), "2026-11-21");
    const auto undated = read("soon", body);
    ASSERT_TRUE(undated) << "when it happened decides nothing";
    EXPECT_EQ(undated->headers.occurred_at, std::nullopt);
    EXPECT_FALSE(read("1795258000123", R"({"id":"e","kind":"done","names":{"done":"x"},"at":"yesterday"})"));
    EXPECT_FALSE(read("1795258000123", R"({"id":"e","kind":"done","names":{"done":"x"},"at":7})"));
}

}  // namespace
}  // namespace sluice::webhook::test
