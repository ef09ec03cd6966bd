#include "consumer/lane/rules/next_turn.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/lane/rules/lanes.hpp"

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;

constexpr Pass fresh{.gen = 7};

Position runs(const Lane& lane, const Pass& pass = fresh) {
    const Turn turn = next_turn(lane, pass, now);
    return turn.kind == Turn::Kind::run ? turn.row.position : 0;
}

TEST(Duty, AWakeupOfTheCurrentGenerationRunsAPass) {
    EXPECT_EQ(duty_of(lane_of({retried(1)}), 7).kind, Duty::Kind::run_pass);
}

TEST(Duty, AnOldWakeupIsDroppedWhenNothingIsOwed) {
    EXPECT_EQ(duty_of(lane_of({retried(1)}), 6).kind, Duty::Kind::none);
}

TEST(Duty, WhateverTouchesALanePaysItsWakeup) {
    Lane lane = lane_of({retried(1)});
    lane.wakeup.sent = false;
    const Duty owed{.kind = Duty::Kind::send_wakeup, .dead = {}, .gen = 7};
    EXPECT_EQ(duty_of(lane, 6), owed) << "an old wakeup";
    EXPECT_EQ(duty_of(lane, std::nullopt), owed) << "a command, or an event that came again";
}

TEST(Duty, AWakeupThatCameNeedsNoOther) {
    Lane lane = lane_of({retried(1)});
    lane.wakeup.sent = false;
    EXPECT_EQ(duty_of(lane, 7).kind, Duty::Kind::run_pass) << "its mark was lost, not the record";
}

TEST(Duty, ADeadLetterIsPaidFirst) {
    Lane lane = lane_of({dead(1)});
    lane.dlq_owed = {1, 1};
    lane.wakeup.sent = false;
    for (const auto wakeup :
         {std::optional<Generation>{7}, std::optional<Generation>{6}, std::optional<Generation>{}}) {
        EXPECT_EQ(duty_of(lane, wakeup), (Duty{.kind = Duty::Kind::send_dead_letter, .dead = {1, 1}}));
    }
}

TEST(Duty, ALaneAtRestNeedsNothing) {
    Lane lane = lane_of({dead(1)});
    lane.wakeup = at_rest(lane.wakeup);
    EXPECT_EQ(duty_of(lane, 7).kind, Duty::Kind::none);
}

TEST(Pass, RunsDueRowsInOrder) {
    EXPECT_EQ(runs(lane_of({deferred(1), retried(2)})), 1);
    EXPECT_EQ(runs(lane_of({deferred(1, 5s), retried(2)})), 2);
    EXPECT_EQ(runs(lane_of({deferred(1, 5s), parked(2)})), 2) << "nothing holds it any more";
}

TEST(Pass, ATimeThatNoWaitReachesHasCome) {
    EXPECT_EQ(runs(lane_of({retried(1, 24h * 365)})), 1) << "a clock was wrong when it was written";
    EXPECT_EQ(runs(lane_of({deferred(1, 24h * 365)})), 1);
    EXPECT_EQ(runs(lane_of({retried(1, 1h)})), 0) << "the longest wait there is";
}

TEST(Pass, ARowThatHadItsTurnWaitsForTheNextPass) {
    EXPECT_EQ(runs(lane_of({deferred(1), parked(2)}), after_failure(fresh, deferred(1))), 2);
}

TEST(Pass, ASuccessGivesDeferredRowsAnotherTurn) {
    const Pass pass = after_success(after_failure(fresh, deferred(1)));
    EXPECT_EQ(runs(lane_of({deferred(1, 5s), parked(3)}), pass), 1) << "what it waits for may be there now";
}

TEST(Pass, ASuccessDoesNotHurryARetry) {
    EXPECT_EQ(runs(lane_of({retried(2, 5s)}), after_success(fresh)), 0);
}

TEST(Pass, NothingRunsPastARetryOrADeadOne) {
    EXPECT_EQ(runs(lane_of({deferred(1, 5s), retried(2, 5s)})), 0);
    EXPECT_EQ(runs(lane_of({dead(1)})), 0);
}

TEST(Pass, EndsArmedForTheNextDueRow) {
    const Turn turn = next_turn(lane_of({deferred(1, 30s), retried(2, 5s)}), fresh, now);
    EXPECT_EQ(turn.kind, Turn::Kind::arm);
    EXPECT_EQ(turn.due, now + 5s);
}

TEST(Pass, EndsAtRestWhereNothingWaitsForTime) {
    EXPECT_EQ(next_turn(lane_of({}), fresh, now).kind, Turn::Kind::rest);
    EXPECT_EQ(next_turn(lane_of({dead(1)}), fresh, now).kind, Turn::Kind::rest);
}

TEST(EarlyPass, GivesDeferredRowsATurnBeforeTheyAreDue) {
    const Lane lane = lane_of({deferred(1, 5s)});
    EXPECT_EQ(runs(lane), 0);
    EXPECT_EQ(runs(lane, early_pass(lane)), 1);
}

TEST(EarlyPass, LeavesTheRestToTheWakeupUnderWay) {
    Lane lane = lane_of({deferred(1, 5s)});
    lane.wakeup.due = now + 5s;
    EXPECT_EQ(after_early_pass(lane, now), lane.wakeup);
}

TEST(EarlyPass, ArmsForWhatIsDueSooner) {
    Lane lane = lane_of({retried(1, 5s)});
    lane.wakeup.due = now + 30s;
    EXPECT_EQ(after_early_pass(lane, now), armed(lane.wakeup, now + 5s));
}

TEST(EarlyPass, PutsALaneThatItEmptiedToRest) {
    EXPECT_EQ(after_early_pass(lane_of({}), now), at_rest(lane_of({}).wakeup));
}

TEST(Pass, ADeadRowIsSupersededByOneThatWaitsAlready) {
    Row row = dead(1);
    EXPECT_FALSE(dies_superseded(row, true)) << "its effect does not say so";
    row.may_be_superseded = true;
    EXPECT_TRUE(dies_superseded(row, true));
    EXPECT_FALSE(dies_superseded(row, false)) << "there is none yet";
    row.status = Status::retry;
    EXPECT_FALSE(dies_superseded(row, true));
}

TEST(Pass, WritesAFailureOnlyOverWhatItTried) {
    const Row tried = retried(2);
    EXPECT_TRUE(still_stands(lane_of({deferred(1), tried}), fresh, tried));
    EXPECT_FALSE(still_stands(lane_of({deferred(1), tried}), {.gen = 6}, tried)) << "another generation";
    EXPECT_FALSE(still_stands(lane_of({deferred(1)}), fresh, tried)) << "it is finished";
    EXPECT_FALSE(still_stands(lane_of({dead(1)}), fresh, tried)) << "one before it holds it now";
    Row counted = tried;
    ++counted.attempts;
    EXPECT_FALSE(still_stands(lane_of({deferred(1), counted}), fresh, tried)) << "another tried it too";
}

}  // namespace
}  // namespace sluice::lane
