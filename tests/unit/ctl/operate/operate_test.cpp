#include <algorithm>

#include <gtest/gtest.h>

#include "ctl/cli/exit.hpp"
#include "ctl/operate/entry_plan.hpp"
#include "ctl/operate/operate_options.hpp"
#include "ctl/operate/pace.hpp"
#include "ctl/operate/progress.hpp"
#include "ctl/operate/run_id.hpp"

namespace sluice::ctl {
namespace {

using std::chrono::milliseconds;
using store::ActionKind;

constexpr WallTime any_time{std::chrono::seconds{1'795'262'400}};

store::DeadLetterRow an_entry(std::int64_t id, store::DeadLetterKind kind = store::DeadLetterKind::dead) {
    store::DeadLetterRow dead_letter;
    dead_letter.id = id;
    dead_letter.kind = kind;
    dead_letter.error_class = "data";
    dead_letter.source = "stripe-eu";
    dead_letter.object_key = "stripe/acct_main/pi_1";
    dead_letter.opened_at = any_time - std::chrono::minutes{id};
    dead_letter.inbox = store::InboxKey{.event_day = record::undated, .dedup_key = crypto::sha256("event")};
    if (kind == store::DeadLetterKind::dead) dead_letter.place = store::LanePlace{{}, 1};
    return dead_letter;
}

OperatorRequest an_order(ActionKind action = ActionKind::retry) {
    OperatorRequest request;
    request.action = action;
    request.run = new_run(9);
    request.operator_name = "ada";
    request.reason = "fixed";
    return request;
}

TEST(RunId, RemembersTheHighestEntryOfItsPlan) {
    for (const std::int64_t highest : {0L, 1L, 4711L, (1L << 48U) - 1}) {
        const auto run = new_run(highest);
        EXPECT_EQ(highest_entry_of(run), highest);
        EXPECT_EQ(uuid_from(uuid_text(run)), run);
        EXPECT_NE(new_run(highest), run);
    }
}

TEST(RunId, IsRefusedWhenItIsNoneOfOurs) {
    EXPECT_EQ(highest_entry_of(store::ActionId{}), std::nullopt);
    EXPECT_EQ(highest_entry_of(uuid_from("0199ab00-0000-7000-8000-000000000001").value()), std::nullopt);
    for (const auto* text :
         {"", "x", "0199ab00-0000-8000-8000-00000000000", "0199ab00-0000-8000-8000-00000000000g"}) {
        EXPECT_EQ(uuid_from(text), std::nullopt) << text;
    }
}

TEST(RunId, OfARerunRemembersTheTimeOfItsPlan) {
    const auto run = new_run_at(any_time + std::chrono::microseconds{1});
    EXPECT_EQ(start_of(run), any_time + milliseconds{1})
        << "what came in this very millisecond is part of it";
    EXPECT_EQ(uuid_from(uuid_text(run)), run);
    EXPECT_EQ(highest_entry_of(run), std::nullopt) << "a run of another kind";
    EXPECT_EQ(start_of(new_run(1)), std::nullopt);
}

TEST(Pace, ReadsRates) {
    EXPECT_EQ(rate_from("50/s"), 50);
    EXPECT_EQ(rate_from("0.5"), 0.5);
    EXPECT_EQ(rate_from("600/m"), 10);
    for (const auto* text : {"", "fast", "0", "-1", "5/h", "nan", "inf", "50 /s"})
        EXPECT_EQ(rate_from(text), std::nullopt);
}

TEST(Pace, KeepsItsRateAndMakesUpForLittle) {
    SteadyTime now{std::chrono::hours{1}};
    const auto start = now;
    Pace pace{50, now};
    for (int i = 0; i < 101; ++i) now += pace.next(now);
    EXPECT_EQ(now - start, milliseconds{2000});
    now += std::chrono::minutes{5};  // the receiver stood still
    int at_once = 0;
    while (pace.next(now) == std::chrono::nanoseconds{0}) ++at_once;
    EXPECT_EQ(at_once, 6) << "a tenth of a second's worth";
}

TEST(EntryPlan, CommandsNameTheEventOfADeathAndTheEntryOfTheRest) {
    const auto request = an_order();
    const auto command = command_for(request, an_entry(7), any_time);
    EXPECT_EQ(command::flaw_in(command), std::nullopt);
    EXPECT_EQ(command.id, command::id_in_run(request.run, 7));
    EXPECT_EQ(command.event, an_entry(7).inbox);
    EXPECT_EQ(command.dead_letter, 7);
    EXPECT_EQ(command.requested_at, any_time);
    const auto conflict = command_for(request, an_entry(8, store::DeadLetterKind::conflict), any_time);
    EXPECT_EQ(conflict.event, std::nullopt) << "that row is the other event's";
    EXPECT_EQ(conflict.dead_letter, 8);
}

TEST(EntryPlan, ARetryIsVerifiedAgainUnlessToldOtherwise) {
    auto request = an_order();
    EXPECT_FALSE(command_for(request, an_entry(7), any_time).unverified);
    request.unverified = true;
    EXPECT_TRUE(command_for(request, an_entry(7), any_time).unverified);
}

TEST(EntryPlan, AnEditCarriesItsBody) {
    auto request = an_order(ActionKind::edit);
    request.body = "{}";
    const auto command = command_for(request, an_entry(7), any_time);
    EXPECT_TRUE(command::has_its_body(command));
    EXPECT_EQ(command::flaw_in(command), std::nullopt);
}

TEST(EntryPlan, ObjectsToWhatMakesNoSense) {
    EXPECT_EQ(objection(ActionKind::retry, an_entry(1)), std::nullopt);
    EXPECT_EQ(objection(ActionKind::retry, an_entry(1, store::DeadLetterKind::conflict)), std::nullopt);
    EXPECT_TRUE(objection(ActionKind::close, an_entry(1)));
    EXPECT_EQ(objection(ActionKind::close, an_entry(1, store::DeadLetterKind::conflict)), std::nullopt);
    EXPECT_TRUE(objection(ActionKind::skip, an_entry(1, store::DeadLetterKind::too_old)));
    auto closed = an_entry(1);
    closed.closed_at = any_time;
    closed.closed_as = store::ClosedAs::skipped;
    EXPECT_EQ(objection(ActionKind::retry, closed), "it is closed as skipped");
}

TEST(EntryPlan, ShowsCountsAndASample) {
    const std::vector<store::DeadLetterRow> dead_letters{
        an_entry(1), an_entry(2, store::DeadLetterKind::conflict), an_entry(3)};
    const auto counts = counts_of(dead_letters);
    ASSERT_EQ(counts.size(), 2U);
    EXPECT_EQ(counts[0].count, 2);
    EXPECT_EQ(counts[0].oldest, an_entry(3).opened_at);
    EntryPlan plan{.action = ActionKind::retry, .run = "r", .counts = counts, .sample = {dead_letters[0]}};
    const auto text = to_people(plan, any_time);
    EXPECT_TRUE(text.starts_with("retry 3 entries:\n")) << text;
    EXPECT_TRUE(text.contains("the first 1 of them:")) << text;
    EXPECT_EQ(to_json(plan)["total"], 3);
    EXPECT_EQ(to_people(EntryPlan{}, any_time), "No open entries.\n");
    EXPECT_FALSE(text.contains("behind"));
    plan.waiting_behind = 2;
    EXPECT_TRUE(to_people(plan, any_time).contains("2 events stand behind them. They run next; what fails"));
    plan.with_behind = true;
    EXPECT_TRUE(to_people(plan, any_time).contains("kinds and classes: retry too."));
}

TEST(Progress, SaysWhatBecameOfARun) {
    Progress progress;
    progress.total = 10;
    progress.sent = 5;
    progress.before = 2;
    progress.answers.carried_out = 6;
    EXPECT_TRUE(progress.went_well());
    progress.answers.refused = 1;
    EXPECT_FALSE(progress.went_well());
    EXPECT_EQ(progress_text(progress),
              "sent 5 of 10; carried out 6, refused 1, dead again 0, answered before 2");
    EXPECT_EQ(to_json(progress)["answered_before"], 2);
    EXPECT_EQ(refusals_text(progress, "sluicectl dlq --help"), "");
    progress.untried = 3;
    progress.refusals = {{"finished", 2}, {"unverifiable", 1}};
    EXPECT_TRUE(progress_text(progress).contains("dead again 0, not tried yet 3"));
    EXPECT_TRUE(
        refusals_text(progress, "sluicectl dlq --help").starts_with("refused: 2 finished, 1 unverifiable. "));
    EXPECT_EQ(to_json(progress)["refusals"]["finished"], 2);
}

TEST(Progress, SaysWhatCameUpBehindTheRun) {
    Progress progress;
    EXPECT_EQ(behind_text(progress), "");
    progress.behind.events = 4;
    EXPECT_TRUE(progress_text(progress).ends_with(", still going on behind them 4"));
    progress.opened_behind = {{"paid_twice", "alipay", store::DeadLetterKind::rule_case, 27, any_time},
                              {"data", "stripe", store::DeadLetterKind::dead, 1, any_time}};
    EXPECT_EQ(behind_text(progress),
              "behind them, 28 more entries opened: 27 case paid_twice of alipay, 1 dead data of stripe\n");
    EXPECT_EQ(to_json(progress)["opened_behind"][0]["count"], 27);
    EXPECT_EQ(to_json(progress)["going_on_behind"], 4);
    EXPECT_TRUE(progress.went_well()) << "the run itself did what was asked";
}

TEST(OperateOptions, WhatWasDoneIsOneWordBeforeTheReason) {
    OperateOptions options;
    options.everything = true;
    options.run.reason = "by hand";
    EXPECT_EQ(reason_of(options), "by hand");
    options.resolved = "refunded";
    EXPECT_EQ(reason_of(options), "resolved: refunded; by hand");
    options.run.reason = "";
    EXPECT_EQ(reason_of(options), "resolved: refunded");
    EXPECT_NO_THROW(refuse_unless_sound(options));
    for (const char* const wrong : {"Refunded", "by hand", "a-b", "a23456789012345678901234567890123"}) {
        options.resolved = wrong;
        EXPECT_THROW(refuse_unless_sound(options), Stopped) << wrong;
    }
}

TEST(OperateOptions, WhatComesUpLaterIsNotProposed) {
    OperateOptions options;
    options.everything = true;
    options.with_behind = true;
    EXPECT_NO_THROW(refuse_unless_sound(options));
    options.run.propose = "skip.json";
    EXPECT_THROW(refuse_unless_sound(options), Stopped);
    options.run.propose = "";
    options.run.run = uuid_text(new_run(1));
    EXPECT_THROW(refuse_unless_sound(options), Stopped);
}

TEST(OperateOptions, WantNamesOrAFilterOrEverything) {
    const auto is_sound = [](const OperateOptions& options) {
        try {
            refuse_unless_sound(options);
            return true;
        } catch (const Stopped& stopped) {
            EXPECT_EQ(stopped.exit(), Exit::usage);
            return false;
        }
    };
    OperateOptions options;
    EXPECT_FALSE(is_sound(options));
    options.everything = true;
    EXPECT_TRUE(is_sound(options));
    options.filter.source = "stripe-eu";
    EXPECT_FALSE(is_sound(options));
    options.everything = false;
    EXPECT_TRUE(is_sound(options));
    options.names = {"4711"};
    EXPECT_FALSE(is_sound(options));
    options.filter = {};
    EXPECT_TRUE(is_sound(options));
    options.run.rate = "fast";
    EXPECT_FALSE(is_sound(options));
    options.run.rate = "1/s";
    options.run.run = "0199ab00-0000-7000-8000-000000000001";
    EXPECT_FALSE(is_sound(options));
    options.run.run = uuid_text(new_run(1));
    EXPECT_TRUE(is_sound(options));
}

TEST(OperateOptions, WhateverIsWrittenIsSigned) {
    RunOptions options;
    EXPECT_THROW(refuse_unless_signed(options), Stopped);
    options.operator_name = "ada";
    EXPECT_THROW(refuse_unless_signed(options), Stopped);
    options.reason = "fixed";
    EXPECT_NO_THROW(refuse_unless_signed(options));
    options.reason = std::string(1025, 'x');
    EXPECT_THROW(refuse_unless_signed(options), Stopped);
}

}  // namespace
}  // namespace sluice::ctl
