#include "command/http/answers.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

const Key asked{.command = "charge", .caller = "ads-team", .key = "a/b"};
const Response poor{.status = 409, .body = R"({"error":"insufficient_balance"})"};

Reply told(Answer::Kind kind) {
    return reply_to(Answer{.kind = kind, .response = poor, .why = "because"}, asked);
}

TEST(Answers, StoredResponseIsShownAsItIs) {
    const Reply reply = told(Answer::Kind::executed);
    EXPECT_EQ(reply.status, 409);
    EXPECT_EQ(reply.content_type, "application/json");
    EXPECT_EQ(reply.body, poor.body);
    EXPECT_EQ(reply.fields, "Idempotency-Replayed: false\r\n");
}

TEST(Answers, ReplayedResponseSaysSoAndDiffersInNothingElse) {
    const Reply reply = told(Answer::Kind::replayed);
    EXPECT_EQ(reply.fields, "Idempotency-Replayed: true\r\n");
    EXPECT_EQ(reply.status, 409);
    EXPECT_EQ(reply.body, poor.body);
}

TEST(Answers, NothingElseShowsAResponse) {
    using enum Answer::Kind;
    for (const auto kind :
         {goes_on, in_progress, mismatch, refused, failed, unavailable, not_executed, not_known}) {
        const Reply reply = told(kind);
        EXPECT_FALSE(reply.body.contains("insufficient_balance")) << reply.body;
        EXPECT_FALSE(reply.fields.contains("Replayed"));
    }
}

TEST(Answers, WhatIsAcceptedIsNotMarkedAsAResponse) {
    const Reply reply = told(Answer::Kind::accepted);
    EXPECT_EQ(reply.fields, "Location: /v1/commands/charge/a%2Fb\r\n");
    EXPECT_EQ(reply.body, poor.body);
}

TEST(Answers, EachKindHasItsStatus) {
    using enum Answer::Kind;
    EXPECT_EQ(told(goes_on).status, 202);
    EXPECT_EQ(told(in_progress).status, 409);
    EXPECT_EQ(told(mismatch).status, 422);
    EXPECT_EQ(told(refused).status, 400);
    EXPECT_EQ(told(failed).status, 500);
    EXPECT_EQ(told(unavailable).status, 503);
    EXPECT_EQ(told(not_executed).status, 503);
    EXPECT_EQ(told(not_known).status, 502);
}

TEST(Answers, WhatIsNotKnownYetSaysWhereToLook) {
    using enum Answer::Kind;
    for (const auto kind : {goes_on, in_progress, unavailable})
        EXPECT_TRUE(told(kind).fields.contains("Location: /v1/commands/charge/a%2Fb\r\n"))
            << told(kind).fields;
    for (const auto kind : {in_progress, unavailable})
        EXPECT_TRUE(told(kind).fields.contains("Retry-After: 1\r\n"));
}

TEST(Answers, TypeThatWouldBreakTheHeadIsNone) {
    const Response bad{.content_type = "text/plain\r\nSet-Cookie: a=b", .body = {}};
    EXPECT_EQ(reply_to(Answer{.kind = Answer::Kind::executed, .response = bad}, asked).content_type,
              "application/octet-stream");
}

TEST(Answers, LookUpTellsTheState) {
    EXPECT_EQ(reply_to(Standing{}).body, R"({"state":"absent"})");
    const WallTime since{std::chrono::seconds{1'790'000'000}};
    EXPECT_EQ(reply_to(Standing{.state = Standing::State::in_progress, .since = since}).body,
              R"({"state":"in_progress","since":"2026-09-21T14:13:20.000000Z"})");
    EXPECT_EQ(reply_to(Standing{.state = Standing::State::done, .since = since, .response = poor}).body,
              R"({"state":"done","since":"2026-09-21T14:13:20.000000Z","response":{"status":409,)"
              R"("content_type":"application/json","body":"{\"error\":\"insufficient_balance\"}"}})");
}

TEST(Answers, LookUpTellsWhetherWhatFailedMayBeTriedAgain) {
    Standing failed{.state = Standing::State::failed,
                    .since = WallTime{std::chrono::seconds{1'790'000'000}},
                    .is_retryable = true,
                    .why = "it was \"busy\""};
    EXPECT_EQ(
        reply_to(failed).body,
        R"({"state":"failed","since":"2026-09-21T14:13:20.000000Z","retryable":true,"why":"it was \"busy\""})");
    failed.is_retryable = false;
    EXPECT_TRUE(reply_to(failed).body.contains(R"("retryable":false)"));
}

TEST(Answers, LookUpShowsALongResponseWhole) {
    const Response response{.body = std::string(5000, 'x')};
    const Reply reply = reply_to(Standing{.state = Standing::State::done, .response = response});
    EXPECT_TRUE(reply.body.contains(response.body));
}

}  // namespace
}  // namespace sluice::command
