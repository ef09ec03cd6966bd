#include <gtest/gtest.h>

#include "consumer/command/approval.hpp"
#include "consumer/command/command_record.hpp"
#include "ctl/approve/approval_plan.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

using Changes = std::vector<std::tuple<std::string, std::string, std::string>>;

constexpr WallTime asked_at{std::chrono::seconds{1'795'262'400}};

Changes changes(std::string_view from, std::string_view to) {
    Changes all;
    const auto found = changes_between(from, to).value();
    for (const auto& change : found) all.emplace_back(change.path, change.from, change.to);
    return all;
}

Proposal a_proposal(std::size_t count = 1) {
    Proposal proposal{.run = new_run(9), .topic_id = "topic", .group = "sluice", .entries = {}};
    for (std::size_t i = 1; i <= count; ++i) {
        command::Command command;
        command.id = command::id_in_run(proposal.run, static_cast<std::int64_t>(i));
        command.run = proposal.run;
        command.object_key = "stripe/acct_main/pi_1";
        command.dead_letter = static_cast<std::int64_t>(i);
        command.action = store::ActionKind::skip;
        command.operator_name = "ada";
        command.reason = "refunded by hand";
        command.requested_at = asked_at;
        proposal.entries.push_back({command::encode(command).value(), "ada:1f", command});
    }
    return proposal;
}

TEST(BodyChanges, NameEachValueThatDiffers) {
    EXPECT_EQ(changes(R"({"a":{"b":[1,2]},"c":null})", R"({"a":{"b":[1,3]},"d":"x"})"),
              (Changes{{"/a/b/1", "2", "3"}, {"/c", "null", ""}, {"/d", "", "\"x\""}}));
    EXPECT_EQ(changes(R"({"a/b":{"~":1}})", R"({"a/b":{"~":2}})"), (Changes{{"/a~1b/~0", "1", "2"}}));
    EXPECT_EQ(changes(R"({"a":{}})", R"({"a":{"b":1}})"), (Changes{{"/a", "{}", ""}, {"/a/b", "", "1"}}));
}

TEST(BodyChanges, NameWhatIsMaskedToo) {
    EXPECT_EQ(changes(R"({"name":"Ada"})", R"({"name":"Bob"})"), (Changes{{"/name", "\"***\"", "\"***\""}}));
}

TEST(BodyChanges, AreNoneWhereOnlyTheBytesDiffer) {
    EXPECT_EQ(changes(R"({"a":1,"b":2})", R"({ "b":2, "a":1 })"), Changes{});
}

TEST(BodyChanges, CannotBeToldOfWhatIsNoJsonOrTooDeep) {
    EXPECT_FALSE(changes_between("{", "{}"));
    EXPECT_FALSE(changes_between("{}", "a=b"));
    EXPECT_FALSE(changes_between(std::string(200'000, '[') + std::string(200'000, ']'), "{}"));
}

TEST(ProposalFile, IsReadAsItWasWritten) {
    const auto proposal = a_proposal(2);
    const auto read = proposal_from(to_pretty(to_json(proposal))).value();
    EXPECT_EQ(read.run, proposal.run);
    EXPECT_EQ(read.topic_id, "topic");
    EXPECT_EQ(read.group, "sluice");
    ASSERT_EQ(read.entries.size(), 2U);
    EXPECT_EQ(read.entries[1].value, proposal.entries[1].value);
    EXPECT_EQ(read.entries[1].command, proposal.entries[1].command);
}

TEST(ProposalFile, IsOfOneRunOperatorAndReason) {
    auto mixed = a_proposal(2);
    for (const auto change : {+[](command::Command& one) { one.operator_name = "eve"; },
                              +[](command::Command& one) { one.reason = "another"; },
                              +[](command::Command& one) { one.run = new_run(9); },
                              +[](command::Command& one) { one.action = store::ActionKind::close; }}) {
        auto proposal = mixed;
        change(proposal.entries[1].command);
        proposal.entries[1].value = command::encode(proposal.entries[1].command).value();
        EXPECT_NE(
            proposal_from(to_pretty(to_json(proposal))).error().find("differ in run, operator or reason"),
            std::string::npos);
    }
    EXPECT_FALSE(proposal_from(to_pretty(to_json(a_proposal(most_proposed + 1)))));
}

TEST(ProposalFile, OfTheSameOperatorOfAnotherGroupOrTooOldIsNotApproved) {
    const auto proposal = a_proposal();
    EXPECT_EQ(objection(proposal, "bob", "sluice", asked_at), std::nullopt);
    EXPECT_EQ(objection(proposal, "", "sluice", asked_at), std::nullopt) << "a look needs no name";
    EXPECT_TRUE(objection(proposal, "ada", "sluice", asked_at));
    EXPECT_TRUE(objection(proposal, "bob", "other", asked_at));
    EXPECT_TRUE(
        objection(proposal, "bob", "sluice", asked_at + command::proposal_lives + std::chrono::seconds{1}));
}

TEST(ApprovalPlan, SaysWhatTheFirstOneAsksFor) {
    const auto proposal = a_proposal();
    DeadLetterDetails details;
    details.dead_letter.id = 1;
    details.dead_letter.event_id = "evt_1";
    details.dead_letter.object_key = "stripe/acct_main/pi_1";
    details.dead_letter.place = store::LanePlace{{}, 1};
    std::vector<ProposedCommand> plan{{proposal.entries[0], details}};
    const auto text = to_people(plan, asked_at + std::chrono::minutes{12});
    for (const auto* word : {"ada proposes to skip 1", "refunded by hand", "12m", "evt_1"})
        EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
    EXPECT_EQ(plan[0].objection(), std::nullopt);
    plan[0].details->dead_letter.object_key = "stripe/acct_main/pi_2";
    EXPECT_TRUE(plan[0].objection());
    plan[0].details.reset();
    EXPECT_TRUE(plan[0].objection());
}

}  // namespace
}  // namespace sluice::ctl
