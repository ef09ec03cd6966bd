#include "consumer/apply/troubled_runs.hpp"

#include <gtest/gtest.h>

namespace sluice::consumer {
namespace {

const SteadyTime first_run{};

Setback of_effect(store::ErrorClass database) {
    return {.outcome = effects::Outcome::retry,
            .database = database,
            .own_class = {},
            .reason = "gone",
            .effect = "credit",
            .of_effects = true};
}

const Setback lost = of_effect(store::ErrorClass::connection);

TEST(TroubledRuns, TheThirdOverFiveSecondsMakesAnEventTheCause) {
    TroubledRuns runs;
    note_run(runs, lost, first_run);
    note_run(runs, lost, first_run + Milliseconds{100});
    note_run(runs, lost, first_run + Milliseconds{200});
    EXPECT_FALSE(failure_if_cause(runs)) << "a server that comes and goes";
    note_run(runs, lost, first_run + shortest_trouble);
    const auto setback = failure_if_cause(runs);
    ASSERT_TRUE(setback);
    EXPECT_EQ(setback->effect, "credit");
    EXPECT_EQ(setback->database, store::ErrorClass::overdue) << "by the effect's own policy";
    EXPECT_FALSE(is_trouble(*setback));
    forgive_once(runs);
    EXPECT_FALSE(failure_if_cause(runs)) << "it gets another run";
    note_run(runs, lost, first_run + 2 * shortest_trouble);
    EXPECT_TRUE(failure_if_cause(runs)) << "one";
}

TEST(TroubledRuns, AStatementThatOutlastedItsEndIsTheCauseAtOnce) {
    Setback overran = lost;
    overran.overran = true;
    TroubledRuns runs;
    note_run(runs, overran, first_run);
    EXPECT_TRUE(failure_if_cause(runs));
    TroubledRuns in_a_batch;
    note_run(in_a_batch, without_culprit(overran), first_run);
    EXPECT_FALSE(failure_if_cause(in_a_batch)) << "it may have been another's";
    EXPECT_EQ(in_a_batch.times, 1) << "but runs alone";
}

TEST(TroubledRuns, ARunThatCameToAnOutcomeClearsAnEvent) {
    Setback deferred;
    deferred.outcome = effects::Outcome::defer;
    deferred.effect = "credit";
    TroubledRuns runs;
    for (int times = 0; times < 5; ++times) {
        note_run(runs, lost, first_run + times * shortest_trouble);
        EXPECT_EQ(runs.times, 1);
        Setback held = deferred;
        held.is_held = true;
        note_run(runs, held, first_run);
        EXPECT_EQ(runs.times, 1) << "that was no run";
        note_run(runs, deferred, first_run);
        EXPECT_EQ(runs.times, 0);
    }
    EXPECT_FALSE(failure_if_cause(runs)) << "sessions that were lost days apart";
}

TEST(TroubledRuns, OurOwnStatementsAndOtherFailuresCountForNothing) {
    TroubledRuns runs;
    Setback own = lost;
    own.of_effects = false;
    note_run(runs, own, first_run);
    for (const auto other :
         {store::ErrorClass::lost_lock, store::ErrorClass::data, store::ErrorClass::unavailable})
        note_run(runs, of_effect(other), first_run);
    EXPECT_EQ(runs.times, 0);
}

}  // namespace
}  // namespace sluice::consumer
