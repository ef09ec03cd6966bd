#include "command/http/problem.hpp"

#include <set>

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

TEST(Problem, IsADetailOfItsOwn) {
    const Reply reply = reply_to(Problem::key_missing, "Send one.");
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.content_type, "application/problem+json");
    EXPECT_EQ(reply.body,
              R"({"type":"urn:sluice:problem:key_missing","title":"The request has no idempotency key",)"
              R"("status":400,"detail":"Send one."})");
}

TEST(Problem, SentenceOfAnExecutorStaysText) {
    const Reply reply = reply_to(Problem::refused, "/amount must be \"1\"\n");
    EXPECT_TRUE(reply.body.ends_with(R"("detail":"/amount must be \"1\"\n"})")) << reply.body;
}

TEST(Problem, OfTheGateIsOneAsWell) {
    const Reply reply = reply_to(gate::Refusal::length_required);
    EXPECT_EQ(reply.status, 411);
    EXPECT_TRUE(reply.body.contains("urn:sluice:problem:length_required")) << reply.body;
}

TEST(Problem, NamesAreDifferent) {
    std::set<std::string_view> names;
    for (const ProblemRow& row : all_problems()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
    for (const gate::RefusalRow& row : gate::all_refusals()) {
        const bool is_ours = row.refusal == gate::Refusal::method_not_allowed;  // is never the gate's here
        EXPECT_EQ(names.insert(row.name).second, !is_ours) << row.name;
    }
}

}  // namespace
}  // namespace sluice::command
