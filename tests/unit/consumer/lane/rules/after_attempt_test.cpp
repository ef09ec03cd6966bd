#include "consumer/lane/rules/after_attempt.hpp"

#include <gtest/gtest.h>

#include "consumer/lane/rules/retry_delays.hpp"
#include "tests/unit/consumer/lane/rules/lanes.hpp"

namespace sluice::lane {
namespace {

using namespace std::chrono_literals;
using effects::Outcome;
using store::ErrorClass;
using Kind = Ruling::Kind;

const Row untried{.position = 4, .first_failed_at = {}};

Row failing_since(Milliseconds ago, int attempts) {
    Row row = retried(4);
    row.attempts = attempts;
    row.first_failed_at = now - ago;
    return row;
}

Ruling after(Outcome outcome, const Row& row, const Policy& policy = {}) {
    return judge({outcome, {}}, row, policy, now);
}

Ruling after(ErrorClass error, const Row& row, const Policy& policy = {}) {
    return judge({Outcome::retry, error}, row, policy, now);
}

TEST(Policy, DoneAndIgnoredAreTheEnd) {
    EXPECT_EQ(after(Outcome::done, untried).kind, Kind::done);
    EXPECT_EQ(after(Outcome::ignore, untried).kind, Kind::ignored);
}

TEST(Policy, EachFailureWaitsLonger) {
    Row row = untried;
    for (const Milliseconds delay : {Milliseconds{5s}, Milliseconds{30s}, Milliseconds{2min},
                                     Milliseconds{10min}, Milliseconds{1h}, Milliseconds{1h}}) {
        const Ruling ruling = after(Outcome::retry, row);
        EXPECT_EQ(ruling.kind, Kind::waits);
        EXPECT_EQ(ruling.row.status, Status::retry);
        EXPECT_EQ(ruling.row.due_at, now + delay);
        EXPECT_EQ(ruling.row.attempts, row.attempts + 1);
        row = ruling.row;
    }
}

TEST(Policy, AFailureBeyondTheHorizonIsDead) {
    EXPECT_EQ(after(Outcome::retry, failing_since(24h - 1s, 20)).kind, Kind::waits);
    const Ruling ruling = after(Outcome::retry, failing_since(24h, 20));
    EXPECT_EQ(ruling.kind, Kind::dead);
    EXPECT_EQ(ruling.row.status, Status::dead);
    EXPECT_EQ(ruling.error_class, "exhausted");
}

TEST(Policy, SoIsTheLastAttempt) {
    const Policy thrice{.attempts = 3};
    EXPECT_EQ(after(Outcome::retry, failing_since(1s, 1), thrice).kind, Kind::waits);
    EXPECT_EQ(after(Outcome::retry, failing_since(1s, 2), thrice).error_class, "exhausted");
    EXPECT_EQ(after(Outcome::retry, untried, {.attempts = 1}).kind, Kind::dead);
}

TEST(Policy, ADeferredEventLetsOthersPassAndIsTriedSoon) {
    const Ruling ruling = after(Outcome::defer, untried);
    EXPECT_EQ(ruling.kind, Kind::waits);
    EXPECT_EQ(ruling.row.status, Status::deferred);
    EXPECT_EQ(ruling.row.due_at, now + 5s);
    EXPECT_EQ(ruling.row.attempts, 0) << "waiting is not failing";
    EXPECT_EQ(ruling.row.deferrals, 1);
}

TEST(Policy, ADeferredEventHoldsWhereItsEffectSaysSo) {
    EXPECT_EQ(after(Outcome::defer, untried, {.hold_while_deferred = true}).row.status, Status::retry);
}

TEST(Policy, AnEarlyTurnOfADeferredEventIsNotCounted) {
    const Row early = deferred(4, 5s);
    const Ruling ruling = after(Outcome::defer, early);
    EXPECT_EQ(ruling.kind, Kind::waits);
    EXPECT_EQ(ruling.row, early);
}

TEST(Policy, ATurnBeforeATimeThatNoWaitReachesIsCounted) {
    const Ruling ruling = after(Outcome::defer, deferred(4, std::chrono::hours{24 * 365}));
    EXPECT_LT(ruling.row.due_at, now + std::chrono::hours{2});
    EXPECT_EQ(ruling.row.deferrals, deferred(4).deferrals + 1);
}

TEST(Policy, AnEarlyTurnThatFailsIsAFailure) {
    EXPECT_EQ(after(Outcome::retry, deferred(4, 5s)).row.status, Status::retry);
    EXPECT_EQ(after(Outcome::park, deferred(4, 5s)).kind, Kind::dead);
}

TEST(Policy, AnExpiredDeferralIsDead) {
    Row row = deferred(4);
    row.deferrals = 3;
    row.first_failed_at = now - 10min;
    const Ruling ruling = after(Outcome::defer, row, {.defer_for = 10min});
    EXPECT_EQ(ruling.kind, Kind::dead);
    EXPECT_EQ(ruling.error_class, "deferred");
}

TEST(Policy, EachKindOfWaitingHasItsOwnTime) {
    Row waited = deferred(4);
    waited.attempts = 0;
    waited.deferrals = 100;
    waited.first_failed_at = now - 48h;
    const Ruling failed = after(Outcome::retry, waited, {.horizon = 24h, .defer_for = 240h});
    EXPECT_EQ(failed.kind, Kind::waits) << "its first failure comes after a long deferral";
    EXPECT_EQ(failed.row.first_failed_at, now);
    const Ruling deferring =
        after(Outcome::defer, failing_since(48h, 9), {.horizon = 240h, .defer_for = 24h});
    EXPECT_EQ(deferring.kind, Kind::waits) << "its first deferral comes after many failures";
    EXPECT_EQ(deferring.row.first_failed_at, now);
}

TEST(Policy, WhatCannotBeAppliedIsDeadAtOnce) {
    EXPECT_EQ(after(Outcome::park, untried).error_class, "park");
    EXPECT_EQ(after(ErrorClass::data, untried).error_class, "data");
    EXPECT_EQ(after(ErrorClass::duplicate, untried).error_class, "data") << "an effect's own unique key";
}

TEST(Policy, UnknownErrorsAreTriedThreeTimes) {
    EXPECT_EQ(after(ErrorClass::unknown, failing_since(1s, 1)).kind, Kind::waits);
    EXPECT_EQ(after(ErrorClass::unknown, failing_since(1s, 2)).error_class, "unknown");
}

TEST(Policy, AnEffectThatTookTooLongIsAFailureByItsOwnPolicy) {
    const Ruling first = after(ErrorClass::overdue, untried);
    EXPECT_EQ(first.kind, Kind::waits);
    EXPECT_EQ(first.row.attempts, 1);
    EXPECT_EQ(after(ErrorClass::overdue, failing_since(1s, 500)).kind, Kind::waits)
        << "not one of three tries";
    EXPECT_EQ(after(ErrorClass::overdue, failing_since(1s, 1), {.attempts = 2}).error_class, "exhausted");
}

TEST(Policy, TheFailureThatKillsIsCountedToo) {
    const Row failed_before = failing_since(1s, 2);
    EXPECT_EQ(after(ErrorClass::unknown, failed_before).row.attempts, 3);
    EXPECT_EQ(after(Outcome::retry, failed_before, {.attempts = 3}).row.attempts, 3);
    EXPECT_EQ(after(Outcome::park, failed_before).row.attempts, 3);
    EXPECT_EQ(after(ErrorClass::data, untried).row.attempts, 1);
}

TEST(Policy, LostLocksAndADatabaseInTroubleCountForNothing) {
    const Row old = failing_since(240h, 500);
    EXPECT_EQ(after(ErrorClass::lost_lock, old, {.attempts = 1}).kind, Kind::contention);
    for (const auto error : {ErrorClass::connection, ErrorClass::unavailable, ErrorClass::schema}) {
        EXPECT_EQ(after(error, old, {.attempts = 1}).kind, Kind::trouble);
        EXPECT_EQ(after(error, old).row, old);
    }
}

TEST(Policy, WhatIsNotTheEventsWaitsInItsLaneUncounted) {
    const Attempt blocked{.error = ErrorClass::lost_lock, .put_off = 5s};
    const Row old = failing_since(240h, 500);
    const Ruling again = judge(blocked, old, {.attempts = 1}, now);
    EXPECT_EQ(again.kind, Kind::waits);
    EXPECT_FALSE(again.is_counted);
    EXPECT_EQ(again.row.attempts, old.attempts);
    EXPECT_EQ(again.row.first_failed_at, old.first_failed_at);
    EXPECT_EQ(again.row.due_at, now + 5s);
    EXPECT_EQ(judge(blocked, untried, {}, now).row.status, Status::retry) << "those behind it wait";
    EXPECT_EQ(judge(blocked, deferred(1), {}, now).row.status, Status::deferred) << "those behind it went on";
}

TEST(Policy, ADeadEventSaysWhetherALaterOneReplacesIt) {
    EXPECT_FALSE(after(Outcome::park, untried).row.may_be_superseded);
    EXPECT_TRUE(after(Outcome::park, untried, {.skip_superseded = true}).row.may_be_superseded);
}

TEST(Policy, AMissingEffectIsWaitedForUntilTheDeployIsOver) {
    EXPECT_EQ(on_missing_effect(now - 10min + 1s, 10min, now), Lacking::send_again);
    EXPECT_EQ(on_missing_effect(now - 10min, 10min, now), Lacking::dead);
}

TEST(Tiers, AWakeupTakesTheLongestThatIsNotLate) {
    EXPECT_EQ(tier_for(Milliseconds{5s}).name, "5s");
    EXPECT_EQ(tier_for(Milliseconds{30s}).name, "30s");
    EXPECT_EQ(tier_for(Milliseconds{29'990}).name, "30s") << "what committing took is not a tier";
    EXPECT_EQ(tier_for(Milliseconds{17s}).name, "5s");
    EXPECT_EQ(tier_for(Milliseconds{50min}).name, "10m");
    EXPECT_EQ(tier_for(Milliseconds{25h}).name, "1h");
}

TEST(Tiers, AnOverdueWakeupTakesTheShortest) {
    EXPECT_EQ(tier_for(Milliseconds{0}).name, "5s");
    EXPECT_EQ(tier_for(Milliseconds{-1h}).name, "5s");
}

TEST(Tiers, ADeferralStaysWithTheShortOnes) {
    EXPECT_EQ(deferral_delay(1), 5s);
    EXPECT_EQ(deferral_delay(12), 5s);
    EXPECT_EQ(deferral_delay(500), 30s);
}

}  // namespace
}  // namespace sluice::lane
