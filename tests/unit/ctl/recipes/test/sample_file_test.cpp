#include "ctl/recipes/test/sample_file.hpp"

#include "tests/unit/ctl/recipes/test/sample_files.hpp"

namespace sluice::ctl {

class SampleFileTest : public TrialTest {};

namespace {

std::string with_sample(const std::string& more) {
    return github_samples + more;
}

}  // namespace

TEST_F(SampleFileTest, TakesKeysAsText) {
    const SampleFile file = read(github_samples);
    EXPECT_EQ(file.source->recipe, "github");
    EXPECT_EQ(file.samples.at(0).request.body, "Hello, World!");
    EXPECT_EQ(file.samples.at(0).request.target, file.source->path);
}

TEST_F(SampleFileTest, LeavesNoTextBehind) {
    static_cast<void>(read(github_samples));
    EXPECT_TRUE(std::filesystem::is_empty(folder_ / "meanwhile"));
}

TEST_F(SampleFileTest, TakesAnEntryOfSourcesAsItIs) {
    const std::string text =
        "source: {name: hub, recipe: github, path: /hook, keys: [{id: a, value: {text: s}}]}\n"
        "samples: [{name: none, accepted: false}]\n";
    EXPECT_EQ(read(text).samples.at(0).request.target, "/hook");
}

TEST_F(SampleFileTest, TakesARecipeOfItsOwn) {
    const std::string text =
        "recipes:\n"
        "  - {name: acme, algorithm: hmac-sha256, keys: {form: text}, timestamp: none, signed: [body], body: "
        "json,\n"
        "     signature: {header: X-Acme, container: raw, encoding: hex}, day: none, digest: [body],\n"
        "     extract: {id: /id, type: /type, order_by: [], livemode: true}}\n"
        "recipe: acme\n"
        "source: {keys: [{id: a, value: {text: s}}]}\n"
        "samples: [{name: none, accepted: false, check: missing_header}]\n";
    EXPECT_EQ(report(text).wrong(), 0U);
}

TEST_F(SampleFileTest, LikeTakesOverWhatIsNotSaid) {
    const SampleFile file = read(
        with_sample("  - {name: moon, like: published, body: Hello, accepted: false}\n"
                    "  - {name: bare, like: published, headers: {x-hub-signature-256: ~}, accepted: false}\n"
                    "  - {name: more, like: published, headers: {X-Other: [a, b]}, accepted: true}\n"));
    EXPECT_EQ(file.samples[1].request.headers, file.samples[0].request.headers);
    EXPECT_EQ(file.samples[1].request.body, "Hello");
    EXPECT_TRUE(file.samples[2].request.headers.empty());
    EXPECT_EQ(file.samples[2].request.body, "Hello, World!");
    EXPECT_EQ(file.samples[3].request.headers.size(), 3U);
}

TEST_F(SampleFileTest, TakesBodiesThatAreNoText) {
    file("body.bin", "\x01\xff");
    const SampleFile read_one =
        read(with_sample("  - {name: a, body: {base64: Af8=}, accepted: false}\n"
                         "  - {name: b, body: {file: body.bin}, accepted: false}\n"));
    EXPECT_EQ(read_one.samples[1].request.body, "\x01\xff");
    EXPECT_EQ(read_one.samples[2].request.body, "\x01\xff");
}

TEST_F(SampleFileTest, TakesARawRequestFromAFileBesideIt) {
    file("raw.http", "POST /v1/webhooks/github HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    const TrialReport judged =
        report(with_sample("  - {name: raw, request: raw.http, accepted: false, check: missing_header}\n"));
    EXPECT_EQ(judged.wrong(), 0U) << to_people(judged);
}

TEST_F(SampleFileTest, NowIsSecondsOrATimeAndNeededWhereOneIsSigned) {
    const std::string head = "recipe: stripe\nsource: {keys: [{id: a, value: {text: whsec_1}}]}\nsamples:\n";
    const SampleFile file = read(head +
                                 "  - {name: a, now: 1790000000, accepted: false}\n"
                                 "  - {name: b, now: 2026-09-21T14:13:20Z, accepted: false}\n");
    EXPECT_EQ(file.samples[0].request.now, at(1'790'000'000));
    EXPECT_EQ(file.samples[1].request.now, at(1'790'000'000));
    EXPECT_TRUE(refusal(head + "  - {name: a, accepted: false}\n").contains("acme.yaml:4: now is missing"));
}

TEST_F(SampleFileTest, SaysWithItsLineWhatIsWrongAndWhatWouldBeRight) {
    const auto says = [&](const std::string& more, const std::string& part) {
        const std::string text = refusal(with_sample(more));
        EXPECT_TRUE(text.contains("acme.yaml:11")) << text;
        EXPECT_TRUE(text.contains(part)) << text;
    };
    says("  - {name: a}\n", "accepted is missing: true or false");
    says("  - {name: a, accepted: maybe}\n", "true or false, not \"maybe\"");
    says("  - {name: a, accepted: false, check: signature_missmatch}\n",
         "did you mean \"signature_mismatch\"?");
    says("  - {name: a, accepted: true, check: too_old}\n", "has no check");
    says("  - {name: a, accepted: false, key: a}\n", "nothing is read");
    says("  - {name: a, accepted: false, boddy: x}\n", "did you mean \"body\"?");
    says("  - {name: published, accepted: false}\n", "already a sample with this name");
    says("  - {name: a, like: nobody, accepted: false}\n", "no earlier sample");
    says("  - {name: a, body: {file: nothing}, accepted: false}\n", "relative to this file");
    says("  - {name: a, body: {base64: '*'}, accepted: false}\n", "not base64");
    says("  - {name: a, headers: [[A]], accepted: false}\n", "[NAME, VALUE]");
    says("  - {name: a, now: noon, accepted: false}\n", "unix seconds");
    says("  - {name: a, accepted: true, events: [{time: noon}]}\n", "2026-11-21T10:46:40Z");
}

TEST_F(SampleFileTest, SaysWhatTheFileLacks) {
    EXPECT_TRUE(refusal("recipe: github\nsamples: []\n").contains("source is missing"));
    EXPECT_TRUE(refusal("source: {keys: []}\n").contains("recipe is missing"));
    EXPECT_TRUE(refusal("recipe: github\nsource: {keys: [{id: a, value: {text: s}}]}\n")
                    .contains("samples are missing"));
    EXPECT_TRUE(refusal("recipe: hub\nsource: {keys: [{id: a, value: {text: s}}]}\n")
                    .contains("acme.yaml:1: source \"hub\": there is no recipe \"hub\"; the recipes are: "));
    EXPECT_TRUE(refusal("recipe: github\nsource: {keys: [{id: a, value: s}]}\n").contains("{text: …}"));
    EXPECT_TRUE(refusal("recipe: adyen\nsource: {with: {merchant_account: a, environment: live}, keys: [{id: "
                        "a, value: {text: x}}]}\n")
                    .contains("acme.yaml:2: the secret is not hex text"));
    EXPECT_TRUE(refusal("[]").contains("mapping"));
}

}  // namespace sluice::ctl
