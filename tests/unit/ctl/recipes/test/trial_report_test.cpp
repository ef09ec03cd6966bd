#include "ctl/recipes/test/trial_report.hpp"

#include "tests/unit/ctl/recipes/test/sample_files.hpp"

namespace sluice::ctl {

class TrialReportTest : public TrialTest {
protected:
    /// A Stripe sample that is signed at noon; `now` is when it comes.
    static std::string stripe_sample(const std::string& name, std::int64_t now, const std::string& rest) {
        const auto source = sample_source();
        OutgoingRequest request{.target = source->path, .headers = {}, .body = sample_body};
        sample_signer(source, at(noon)).sign(request, at(noon)).value();
        std::string text = "  - name: " + name + "\n    now: " + std::to_string(now) + "\n    headers:\n";
        for (const auto& [header, value] : request.headers) text += "      " + header + ": '" + value + "'\n";
        return text + "    body: '" + sample_body + "'\n" + rest;
    }
    TrialReport stripe(const std::string& samples) {
        return report(
            "recipe: stripe\n"
            "source:\n"
            "  principal: acct_main\n"
            "  keys: [{id: main, value: {text: whsec_sample_secret_of_the_unit_tests}}]\n"
            "samples:\n" +
            samples);
    }
    static constexpr std::int64_t noon = 1'790'000'000;
};

namespace {

bool has_gap(const TrialReport& report, std::string_view part) {
    return std::ranges::any_of(report.untested, [&](const auto& gap) { return gap.contains(part); });
}

}  // namespace

TEST_F(TrialReportTest, IsContentWithWhatIsAsExpected) {
    const TrialReport judged = report(github_samples);
    EXPECT_EQ(judged.wrong(), 0U);
    EXPECT_TRUE(to_people(judged).contains("1 of 1 sample as expected of recipe github"))
        << to_people(judged);
}

TEST_F(TrialReportTest, SaysWhatDiffersAndWhereAndNeverWhatWouldBeRight) {
    const TrialReport judged = report(github_samples +
                                      "  - {name: changed, like: published, body: Hello, accepted: true}\n"
                                      "  - {name: bare, accepted: false, check: no_signature}\n"
                                      "  - {name: other, like: published, accepted: true, key: b}\n"
                                      "  - {name: let in, like: published, accepted: false}\n");
    EXPECT_EQ(judged.wrong(), 4U);
    const std::string text = to_people(judged);
    EXPECT_TRUE(text.contains("WRONG   verdict: expected accepted, is refused")) << text;
    EXPECT_TRUE(text.contains("check: expected no_signature, is missing_header")) << text;
    EXPECT_TRUE(text.contains("key: expected b, is a")) << text;
    EXPECT_TRUE(text.contains("acme.yaml:11: changed: signature_mismatch")) << text;
    EXPECT_TRUE(text.contains("1 of 5 samples as expected")) << text;
    EXPECT_FALSE(text.contains("757107ea"));
    EXPECT_FALSE(to_line(to_json(judged)).contains("Secret to Everybody"));
}

TEST_F(TrialReportTest, ComparesOnlyWhatIsSaidOfAnEvent) {
    const std::string right =
        "    accepted: true\n    events: [{type: payment_intent.succeeded, object: pi_1}]\n";
    EXPECT_EQ(stripe(stripe_sample("a", noon, right)).wrong(), 0U);
    const std::string offset = "    accepted: true\n    events: [{time: '2026-09-21T16:13:20+02:00'}]\n";
    EXPECT_EQ(stripe(stripe_sample("a", noon, offset)).wrong(), 0U);
    const auto wrong =
        stripe(stripe_sample("a", noon, "    accepted: true\n    events: [{id: evt_2, time: ''}]\n"));
    ASSERT_EQ(wrong.judged.at(0).differences.size(), 2U);
    EXPECT_EQ(wrong.judged[0].differences[0].what, "events[0].id");
    EXPECT_EQ(wrong.judged[0].differences[0].actual, "evt_1");
    const auto none = stripe(stripe_sample("a", noon, "    accepted: true\n    events: []\n"));
    EXPECT_EQ(none.judged.at(0).differences.at(0).actual, "1 read");
}

TEST_F(TrialReportTest, KnowsTheLineEndOfABlock) {
    const std::string block =
        "  - name: block\n    like: published\n    body: |\n      Hello, World!\n    accepted: true\n";
    const TrialReport judged = report(github_samples + block);
    EXPECT_EQ(judged.wrong(), 1U);
    EXPECT_TRUE(to_people(judged).contains("|- block")) << to_people(judged);
}

TEST_F(TrialReportTest, SaysWhatNoSampleShows) {
    const TrialReport judged = report(github_samples);
    EXPECT_TRUE(has_gap(judged, "no sample is refused"));
    EXPECT_TRUE(has_gap(judged, "changed body"));
    EXPECT_TRUE(has_gap(judged, "lacks its signature (X-Hub-Signature-256)"));
    EXPECT_FALSE(has_gap(judged, "old"));
    EXPECT_FALSE(has_gap(judged, "signed with key"));
    const TrialReport more = report(github_samples +
                                    "  - {name: changed, like: published, body: x, accepted: false}\n"
                                    "  - {name: bare, accepted: false}\n");
    EXPECT_TRUE(more.untested.empty()) << to_people(more);
}

TEST_F(TrialReportTest, SeesTheEndsOfTheWindow) {
    const std::string yes = "    accepted: true\n";
    const std::string no = "    accepted: false\n";
    const TrialReport middle = stripe(stripe_sample("a", noon, yes));
    EXPECT_TRUE(has_gap(middle, "exactly as old as is allowed, 300 s after its timestamp"));
    EXPECT_TRUE(has_gap(middle, "too old"));
    EXPECT_TRUE(has_gap(middle, "as far ahead as is allowed, 300 s before it"));
    EXPECT_TRUE(has_gap(middle, "too far ahead"));
    const TrialReport ends = stripe(stripe_sample("a", noon + 300, yes) + stripe_sample("b", noon + 301, no) +
                                    stripe_sample("c", noon - 300, yes) + stripe_sample("d", noon - 301, no));
    EXPECT_EQ(ends.wrong(), 0U) << to_people(ends);
    EXPECT_FALSE(has_gap(ends, "old") || has_gap(ends, "ahead")) << to_people(ends);
}

TEST_F(TrialReportTest, HasMembersThatProgramsRelyOn) {
    std::vector<std::string> names;
    const Json json = to_json(report(github_samples));
    for (const auto& [name, value] : json.items()) names.push_back(name);
    EXPECT_EQ(names, (std::vector<std::string>{"recipe", "samples", "total", "wrong", "untested"}));
    EXPECT_EQ(json["samples"][0]["line"], 4);
    EXPECT_EQ(json["samples"][0]["ok"], true);
}

}  // namespace sluice::ctl
