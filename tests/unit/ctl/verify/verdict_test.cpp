#include "ctl/verify/verdict.hpp"

#include <gtest/gtest.h>

#include "tests/unit/ctl/sample_source.hpp"

namespace sluice::ctl {
namespace {

constexpr std::int64_t noon = 1'790'000'000;

class VerdictTest : public testing::Test {
protected:
    [[nodiscard]] Verdict of(const std::string& request, std::int64_t now = noon) const {
        return judge(*source_, request, at(now));
    }
    [[nodiscard]] std::string request(const std::string& body = sample_body,
                                      const std::string& extra = "Host: localhost\r\n") const {
        return signed_request(source_, body, at(noon), extra);
    }

    std::shared_ptr<const webhook::Source> source_ = sample_source();
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_F(VerdictTest, AcceptsAnAuthenticRequestAndSaysWhatItRead) {
    const Verdict verdict = of(request());
    EXPECT_TRUE(verdict.accepted);
    EXPECT_EQ(verdict.status, source_->answers.success.status);
    EXPECT_EQ(verdict.reason, "authentic");
    const Json json = to_json(verdict);
    EXPECT_EQ(
        to_line(json["events"]),
        R"([{"id":"evt_1","type":"payment_intent.succeeded","object":"pi_1","key":"stripe/acct_main/pi_1",)"
        R"("time":"2026-09-21T14:13:20.000000Z"}])");
    EXPECT_EQ(json["key"], "main");
}

TEST_F(VerdictTest, HasExactlyTheMembersThatProgramsRelyOn) {
    std::vector<std::string> names;
    const Json json = to_json(of(request()));
    for (const auto& [name, value] : json.items()) names.push_back(name);
    EXPECT_EQ(names, (std::vector<std::string>{"accepted", "status", "body", "reason", "key", "events"}));
}

TEST_F(VerdictTest, RefusesAChangedBodyWithoutSayingWhatWasExpected) {
    const Verdict verdict = of(replaced(request(), "500", "900"));
    EXPECT_FALSE(verdict.accepted);
    EXPECT_EQ(verdict.status, source_->answers.bad_signature.status);
    EXPECT_TRUE(verdict.reason.starts_with("signature_mismatch: ")) << verdict.reason;
    EXPECT_TRUE(verdict.events.empty());
    OutgoingRequest other{
        .target = source_->path, .headers = {}, .body = replaced(sample_body, "500", "900")};
    sample_signer(source_, at(noon)).sign(other, at(noon)).value();
    const std::string right = other.headers.front().second;
    EXPECT_FALSE(verdict.reason.contains(right.substr(right.size() - 16)));
}

TEST_F(VerdictTest, JudgesTheWindowAsOfTheGivenTime) {
    EXPECT_TRUE(of(request(), noon + 300).accepted);
    EXPECT_TRUE(of(request(), noon + 301).reason.starts_with("too_old"));
    EXPECT_TRUE(of(request(), noon - 301).reason.starts_with("too_new"));
}

TEST_F(VerdictTest, SaysQuarantineForAnAuthenticBodyThatCannotBeRead) {
    const Verdict verdict = of(request("not json"));
    EXPECT_TRUE(verdict.accepted);
    EXPECT_EQ(verdict.status, 200);
    EXPECT_TRUE(verdict.reason.contains("quarantine")) << verdict.reason;
    EXPECT_TRUE(verdict.events.empty());
    EXPECT_EQ(verdict.key_id, "main");
}

TEST_F(VerdictTest, RefusesWhatTheGateRefusesWithTheGatesStatus) {
    EXPECT_EQ(of(replaced(request(), "POST", "GET")).status, 405);
    const Verdict twice = of(request(sample_body, "Host: a\r\nHost: b\r\n"));
    EXPECT_FALSE(twice.accepted);
    EXPECT_EQ(twice.status, 400);
    EXPECT_EQ(twice.reason, "gate: repeated_host");
    EXPECT_EQ(of("no request").status, 400);
}

TEST_F(VerdictTest, OnlyRemarksOnWhatAFileMadeByHandLeavesOut) {
    const Verdict no_host = of(request(sample_body, ""));
    EXPECT_TRUE(no_host.accepted);
    EXPECT_TRUE(no_host.reason.contains("the gate would answer 400: missing_host")) << no_host.reason;
    EXPECT_TRUE(
        of(replaced(request(), "/v1/webhooks/", "/v2/webhooks/")).reason.contains("would not route it here"));
}

TEST_F(VerdictTest, PointsAtALengthThatDoesNotFitTheFile) {
    const Verdict verdict = of(request() + "\n");
    EXPECT_FALSE(verdict.accepted);
    EXPECT_TRUE(verdict.reason.contains("Content-Length is")) << verdict.reason;
}

TEST_F(VerdictTest, AnswersTooLargeBeforeLookingAtTheSignature) {
    const std::string body(source_->max_body + 1, ' ');
    const Verdict verdict = of("POST " + source_->path + " HTTP/1.1\r\nHost: a\r\n\r\n" + body);
    EXPECT_FALSE(verdict.accepted);
    EXPECT_EQ(verdict.status, source_->answers.too_large.status);
}

}  // namespace sluice::ctl
