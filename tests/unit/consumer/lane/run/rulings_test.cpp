#include "consumer/lane/run/rulings.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::consumer {
namespace {

Setback lost_lock(std::string effect) {
    return {.outcome = effects::Outcome::retry,
            .database = store::ErrorClass::lost_lock,
            .own_class = {},
            .reason = "Lock wait timeout exceeded",
            .effect = std::move(effect)};
}

effects::EffectSet read_no_effects() {
    config::Problems problems;
    return effects::EffectSet::read(config::Document::from_text("log: {}", "test.yaml", problems), {},
                                    problems);
}

TEST(AsCounted, NineLostLocksInARowAreNobodysFault) {
    const Setback ninth = as_counted(lost_lock("credit-wallet"), 9);
    EXPECT_EQ(ninth.database, store::ErrorClass::lost_lock);
}

TEST(AsCounted, TheTenthOnTheEffectsOwnRowsIsAFailureThatIsTriedLater) {
    const Setback tenth = as_counted(lost_lock("credit-wallet"), 10);
    EXPECT_EQ(tenth.database, std::nullopt);
    EXPECT_EQ(tenth.outcome, effects::Outcome::retry);
    EXPECT_EQ(tenth.effect, "credit-wallet");
    EXPECT_EQ(tenth.reason, "Lock wait timeout exceeded");
}

TEST(AsCounted, LocksOfOurOwnRowsNeverCount) {
    EXPECT_EQ(as_counted(lost_lock(""), 1000).database, store::ErrorClass::lost_lock);
}

TEST(AsCounted, WaitingInVainNeverCounts) {
    Setback blocked = lost_lock("credit-wallet");
    blocked.waited_for_lock = true;
    EXPECT_TRUE(is_blocked(blocked));
    EXPECT_EQ(as_counted(blocked, 1000).database, store::ErrorClass::lost_lock);
    Setback own = lost_lock("");
    own.waited_for_lock = true;
    EXPECT_FALSE(is_blocked(own)) << "our own rows: whoever holds them is one of us";
}

TEST(Rule, WhatAnEffectLacksHoldsItsEventsAndCountsForNothing) {
    Setback lacking = lost_lock("credit-wallet");
    lacking.database = store::ErrorClass::schema;
    lacking.of_effects = true;
    EXPECT_FALSE(is_trouble(lacking));
    const auto ruling = ruling_on(lacking, {}, read_no_effects(), WallTime{});
    EXPECT_EQ(ruling.kind, lane::Ruling::Kind::waits);
    EXPECT_FALSE(ruling.is_counted);
    lacking.of_effects = false;
    EXPECT_TRUE(is_trouble(lacking)) << "our own tables: nobody can be served";
}

TEST(Rule, ACaseIsDeadUnderTheRulesWordAndNoLaterEventTakesItsPlace) {
    Setback setback{.outcome = effects::Outcome::park,
                    .database = {},
                    .own_class = {},
                    .reason = "order O-17 is PAID",
                    .effect = "gives-way",
                    .case_class = "paid_twice"};
    const auto reading = effects::read_with(
        "effects:\n  - {name: gives-way, when: {type: a}, after_dead: skip_superseded, sql: [{run: DELETE "
        "FROM "
        "t}]}\n",
        [](const config::Document& document, config::Problems& problems) {
            return effects::EffectSet::read(document, {}, problems);
        });
    const auto ruling = ruling_on(setback, {}, reading.value, WallTime{});
    EXPECT_EQ(ruling.kind, lane::Ruling::Kind::dead);
    EXPECT_EQ(ruling.error_class, "paid_twice");
    EXPECT_FALSE(ruling.row.may_be_superseded);
    EXPECT_EQ(disposition_of(ruling), Disposition::rule_case);
    setback.case_class.clear();
    const auto failure = ruling_on(setback, {}, reading.value, WallTime{});
    EXPECT_EQ(failure.error_class, "park");
    EXPECT_TRUE(failure.row.may_be_superseded);
    EXPECT_EQ(disposition_of(failure), Disposition::dead);
}

TEST(Rule, ACaseLetsOthersPassWhereItsEffectSaysSo) {
    const auto reading = effects::read_with(
        "effects:\n  - {name: lets-pass, when: {type: a}, after_case: pass, sql: [{run: DELETE FROM t}]}\n"
        "  - {name: holds, when: {type: a}, sql: [{run: DELETE FROM t}]}\n",
        [](const config::Document& document, config::Problems& problems) {
            return effects::EffectSet::read(document, {}, problems);
        });
    Setback setback{.outcome = effects::Outcome::park,
                    .database = {},
                    .own_class = {},
                    .reason = "order O-17 is PAID",
                    .effect = "lets-pass",
                    .case_class = "paid_twice"};
    EXPECT_TRUE(ruling_on(setback, {}, reading.value, WallTime{}).row.lets_pass);
    setback.effect = "holds";
    EXPECT_FALSE(ruling_on(setback, {}, reading.value, WallTime{}).row.lets_pass);
    setback.effect = "lets-pass";
    setback.case_class.clear();
    EXPECT_FALSE(ruling_on(setback, {}, reading.value, WallTime{}).row.lets_pass) << "a failure holds";
}

TEST(Rule, WhatQuotesAnEventIsNotForEverybody) {
    Setback setback{.outcome = effects::Outcome::park,
                    .database = {},
                    .own_class = {},
                    .reason = "effect pay-order: order O-17 owes 8888",
                    .effect = "pay-order"};
    EXPECT_EQ(reason_without_data(setback), setback.reason);
    setback.quotes_event = true;
    EXPECT_EQ(reason_without_data(setback),
              "effect pay-order: the reason quotes an event, see sluicectl dlq list");
}

TEST(AsCounted, OtherErrorsStayWhatTheyAre) {
    Setback gone = lost_lock("credit-wallet");
    gone.database = store::ErrorClass::connection;
    EXPECT_EQ(as_counted(gone, 1000).database, store::ErrorClass::connection);
}

TEST(Rule, AnEventWhoseSourceIsNotKnownHereWaitsUncounted) {
    config::Problems problems;
    const auto none = config::Document::from_text("{}", "test.yaml", problems);
    const auto effects = effects::EffectSet::read(none, {}, problems);
    const Setback setback{.outcome = effects::Outcome::retry,
                          .database = {},
                          .own_class = source_unknown_class,
                          .reason = "no source has it",
                          .effect = {}};
    const WallTime now{std::chrono::hours{1000}};
    const lane::Ruling ruling = ruling_on(setback, {}, effects, now);
    EXPECT_EQ(ruling.kind, lane::Ruling::Kind::waits);
    EXPECT_EQ(ruling.error_class, "source_unknown");
    EXPECT_EQ(ruling.row.status, lane::Status::retry);
    EXPECT_GT(ruling.row.due_at, now);
    EXPECT_EQ(ruling.row.attempts, 0);
    EXPECT_EQ(ruling.row.first_failed_at, std::nullopt) << "no effect has had its time yet";
}

}  // namespace
}  // namespace sluice::consumer
