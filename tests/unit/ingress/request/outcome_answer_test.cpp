#include "ingress/request/outcome_answer.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "common/webhook/http/decision.hpp"
#include "tests/unit/ingress/support/test_sources.hpp"

namespace sluice::ingress {
namespace {

using namespace std::chrono_literals;

const webhook::AnswerTable table{.success = {200, "", ""},
                                 .bad_signature = {400, "text/plain", "no"},
                                 .too_large = {413, "", ""},
                                 .overloaded = {503, "", ""},
                                 .limited = {429, "", ""}};

TEST(Answer, SuccessOnlyForWhatKafkaHolds) {
    const PreparedAnswers answers{table, 3s};
    for (std::size_t i = 0; i < outcome_count; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        const bool durable =
            outcome == Outcome::accepted || outcome == Outcome::duplicate || outcome == Outcome::quarantined;
        EXPECT_EQ(answers.of(outcome, After::keep_open).starts_with("HTTP/1.1 200 "), durable)
            << name_of(outcome);
    }
}

TEST(Answer, OnlyStoredIsAccepted) {
    using publish::Published;
    EXPECT_EQ(outcome_of(Published::stored), Outcome::accepted);
    for (const Published other :
         {Published::not_acked, Published::shed, Published::unavailable, Published::too_large})
        EXPECT_NE(outcome_of(other), Outcome::accepted);
}

TEST(Answer, WhatMaySucceedLaterSaysWhenToRetry) {
    const PreparedAnswers answers{table, 3s};
    for (const Outcome outcome : {Outcome::not_acked, Outcome::shed, Outcome::unavailable}) {
        const auto bytes = answers.of(outcome, After::keep_open);
        EXPECT_TRUE(bytes.starts_with("HTTP/1.1 503 ") && bytes.contains("\r\nRetry-After: 5\r\n")) << bytes;
    }
    EXPECT_TRUE(answers.of(Outcome::limited, After::keep_open).contains("\r\nRetry-After: 3\r\n"));
    EXPECT_FALSE(answers.of(Outcome::accepted, After::keep_open).contains("Retry-After"));
}

TEST(Answer, IsTheProvidersByteForByte) {
    const PreparedAnswers answers{table, 3s};
    EXPECT_EQ(answers.of(Outcome::refused_signature, After::keep_open),
              "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno");
    EXPECT_EQ(
        answers.of(Outcome::accepted, After::close),
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\nConnection: close\r\n\r\n");
}

TEST(Answer, SuccessAndNothingElseSaysTheDecision) {
    const PreparedAnswers answers{table, 3s};
    std::vector<std::string_view> said;
    for (std::size_t i = 0; i < outcome_count; ++i) {
        const auto outcome = static_cast<Outcome>(i);
        const std::string line = "\r\nSluice-Decision: " + std::string{name_of(outcome)} + "\r\n";
        for (const After after : {After::keep_open, After::close}) {
            const auto bytes = answers.of(outcome, after);
            EXPECT_EQ(bytes.contains(line), bytes.starts_with("HTTP/1.1 200 ")) << bytes;
            EXPECT_EQ(bytes.contains("Sluice-Decision"), bytes.contains(line)) << bytes;
        }
        if (answers.of(outcome, After::close).contains(line)) said.push_back(name_of(outcome));
    }
    EXPECT_TRUE(std::ranges::equal(said, webhook::decisions)) << "what who sends can read";
}

TEST(Answer, NamesAreDifferent) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < outcome_count; ++i)
        EXPECT_TRUE(names.insert(name_of(static_cast<Outcome>(i))).second);
}

TEST(RawResponse, WithoutContentHasNoLength) {
    EXPECT_EQ(gate::raw_response({204, "", ""}, "", After::keep_open), "HTTP/1.1 204 No Content\r\n\r\n");
}

}  // namespace
}  // namespace sluice::ingress
