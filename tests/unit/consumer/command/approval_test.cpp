#include "consumer/command/approval.hpp"

#include <gtest/gtest.h>

#include "consumer/command/command_record.hpp"
#include "tests/unit/consumer/command/sample.hpp"

namespace sluice::command {
namespace {

using store::ActionKind;

constexpr WallTime asked{std::chrono::hours{500'000}};

Approval sample_approval() {
    return {.operator_name = "bob", .reason = "seen at the provider", .approved_at = asked};
}

TEST(Approval, IsReadAsItWasWritten) {
    EXPECT_EQ(decode_approval(encode_approval(sample_approval()).value()), sample_approval());
}

TEST(Approval, HasAnOperatorAndAReasonThatFitTheirColumns) {
    auto approval = sample_approval();
    approval.operator_name = " ";
    EXPECT_EQ(encode_approval(approval).error(), Flaw::no_operator);
    approval = sample_approval();
    approval.reason = "";
    EXPECT_EQ(encode_approval(approval).error(), Flaw::no_reason);
    approval.reason = std::string(1025, 'x');
    EXPECT_EQ(encode_approval(approval).error(), Flaw::too_large);
    for (const std::string& bytes : {std::string{}, std::string{"\xff"}, std::string(9000, 'x')})
        EXPECT_FALSE(decode_approval(bytes)) << bytes.size();
}

TEST(TakesTwo, WhatTheSettingsNameAndWhateverRunsABodyOfNoProvider) {
    Command command = sample_command();
    const std::array two_for{ActionKind::edit, ActionKind::skip};
    for (const auto& [action, takes] : {std::pair{ActionKind::edit, true},
                                        {ActionKind::skip, true},
                                        {ActionKind::close, false},
                                        {ActionKind::retry, false},
                                        {ActionKind::rerun, false}}) {
        command.action = action;
        EXPECT_EQ(takes_two(command, two_for), takes) << store::name_of(action);
        EXPECT_FALSE(takes_two(command, {}));
    }
    command.action = ActionKind::retry;
    command.unverified = true;
    EXPECT_TRUE(takes_two(command, two_for));
    EXPECT_FALSE(takes_two(command, std::array{ActionKind::skip}));
}

TEST(Proposal, LapsesADayAfterItWasAskedForAndIsOfNoTimeToCome) {
    EXPECT_FALSE(has_lapsed(asked, asked));
    EXPECT_FALSE(has_lapsed(asked, asked + proposal_lives));
    EXPECT_TRUE(has_lapsed(asked, asked + proposal_lives + std::chrono::microseconds{1}));
    EXPECT_FALSE(has_lapsed(asked, asked - clock_grace));
    EXPECT_TRUE(has_lapsed(asked, asked - clock_grace - std::chrono::microseconds{1}));
}

}  // namespace
}  // namespace sluice::command
