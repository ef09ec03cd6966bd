#include "consumer/apply/effect_holds.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/apply/fake_process.hpp"
#include "tests/unit/consumer/apply/no_session.hpp"

namespace sluice::consumer {
namespace {

using namespace std::chrono_literals;

Setback setback_of_credit(std::optional<store::ErrorClass> database) {
    Setback setback;
    setback.outcome = effects::Outcome::retry;
    setback.database = database;
    setback.reason = "no such table";
    setback.effect = "credit";
    setback.of_effects = database.has_value();
    return setback;
}

const Setback lacking = setback_of_credit(store::ErrorClass::schema);
const Setback slow = setback_of_credit(store::ErrorClass::overdue);

Setback slow_mail() {
    Setback setback = slow;
    setback.effect = "mail";
    return setback;
}

class EffectHoldsTest : public testing::Test {
protected:
    void credit_meets(const Setback& setback, int times = 1) {
        for (int i = 0; i < times; ++i) holds_.ran(credit_, &setback);
    }
    void credit_runs() { holds_.ran(credit_, nullptr); }
    [[nodiscard]] bool is_told_ready() const { return process_.is_ready("held_effects"); }
    void expect_all_is_well() {
        EXPECT_FALSE(holds_.held(credit_));
        EXPECT_TRUE(is_told_ready());
        EXPECT_TRUE(holds_.is_calm());
    }

    FakeProcess process_;
    EffectHolds holds_{process_.clock, process_.log(), process_.metrics, process_.readiness};
    const effects::EffectSet set_ = effects_named({"credit", "mail"});
    const std::vector<const effects::Effect*> credit_{set_.find("credit")};
    const std::vector<const effects::Effect*> mail_{set_.find("mail")};
    const std::vector<const effects::Effect*> both_{set_.find("mail"), set_.find("credit")};
};

TEST_F(EffectHoldsTest, WhatIsMissingHoldsAtOnceAndReadinessNamesTheEffect) {
    expect_all_is_well();
    credit_meets(lacking);
    const auto held = holds_.held(credit_);
    ASSERT_TRUE(held && held->is_held);
    EXPECT_EQ(held->effect, "credit");
    EXPECT_EQ(held->outcome, effects::Outcome::retry);
    EXPECT_EQ(held->database, std::nullopt) << "no statement of it was sent";
    EXPECT_TRUE(!holds_.is_calm() && !is_told_ready());
    EXPECT_TRUE(process_.readiness.report().contains("credit"));
    EXPECT_TRUE(process_.exposes("sluice_consumer_effect_held{effect=\"credit\"} 1"));
}

TEST_F(EffectHoldsTest, WhatIsFoundMissingBeforeAnyEventHoldsThoseThatNeedIt) {
    holds_.lacks("credit", "no such column");
    EXPECT_TRUE(process_.readiness.report().contains("credit"));
    EXPECT_TRUE(holds_.held(credit_));
    EXPECT_EQ(holds_.held(both_)->effect, "credit");
    EXPECT_FALSE(holds_.held(mail_) || holds_.not_admitted(mail_));
}

TEST_F(EffectHoldsTest, SlowOnesHoldOnceTheyAreThreeInARow) {
    credit_meets(slow, 2);
    credit_runs();
    expect_all_is_well();
    credit_meets(slow, 2);
    EXPECT_TRUE(is_told_ready() && !holds_.held(credit_));
    credit_meets(slow);
    EXPECT_TRUE(!is_told_ready() && holds_.held(credit_));
}

TEST_F(EffectHoldsTest, WhatSaysNothingOfOtherEventsDoesNotHold) {
    Setback blocked = setback_of_credit(store::ErrorClass::lost_lock);
    blocked.waited_for_lock = true;
    Setback of_our_tables = lacking;
    of_our_tables.effect.clear();
    of_our_tables.of_effects = false;
    for (const Setback& setback :
         {blocked, of_our_tables, setback_of_credit(store::ErrorClass::data),
          setback_of_credit(store::ErrorClass::unknown), setback_of_credit(std::nullopt)}) {
        credit_meets(setback, 10);
        expect_all_is_well();
    }
}

TEST_F(EffectHoldsTest, TroubleOfTheServerNeitherHoldsNorClears) {
    for (const auto trouble : {store::ErrorClass::connection, store::ErrorClass::unavailable}) {
        credit_meets(setback_of_credit(trouble), 10);
        expect_all_is_well();
        credit_meets(lacking);
        credit_meets(setback_of_credit(trouble));
        EXPECT_TRUE(holds_.held(credit_));
        credit_runs();
    }
}

TEST_F(EffectHoldsTest, OneThatRanClearsWhateverItCameTo) {
    const Setback refused = setback_of_credit(store::ErrorClass::data);
    const Setback deferred = setback_of_credit(std::nullopt);
    for (const Setback* came_to : {static_cast<const Setback*>(nullptr), &refused, &deferred}) {
        credit_meets(lacking);
        holds_.ran(credit_, came_to);
        expect_all_is_well();
        EXPECT_TRUE(process_.exposes("sluice_consumer_effect_held{effect=\"credit\"} 0"));
    }
}

TEST_F(EffectHoldsTest, OneThatDidNotRunBehindAnotherIsHeldStillAndTheNextEventIsTheProbe) {
    Setback deferred = setback_of_credit(std::nullopt);
    deferred.effect = "mail";
    for (const auto& came_to : {deferred, slow_mail(), setback_of_credit(store::ErrorClass::connection)}) {
        credit_meets(lacking);
        process_.clock.advance(1s);
        EXPECT_FALSE(holds_.not_admitted(both_)) << "let through to see";
        holds_.ran(both_, &came_to);
        EXPECT_FALSE(is_told_ready()) << "credit was not run";
        EXPECT_FALSE(holds_.not_admitted(both_)) << "and nothing is known yet";
        holds_.ran(both_, nullptr);
        expect_all_is_well();
    }
}

TEST_F(EffectHoldsTest, ALogLineSaysWhenAHoldBeginsAndWhenItEnds) {
    credit_meets(lacking, 5);
    credit_runs();
    EXPECT_EQ(process_.logged("effect_held", "effect"), std::vector<std::string>{"credit"});
    EXPECT_EQ(process_.logged("effect_held_no_longer", "effect"), std::vector<std::string>{"credit"});
}

TEST_F(EffectHoldsTest, OneIsLetThroughWhenItIsDue) {
    credit_meets(lacking);
    process_.clock.advance(999ms);
    EXPECT_TRUE(holds_.not_admitted(credit_));
    process_.clock.advance(1ms);
    EXPECT_FALSE(holds_.held(credit_) || holds_.not_admitted(credit_)) << "to see";
    EXPECT_TRUE(holds_.not_admitted(credit_)) << "and no second one";
    EXPECT_FALSE(is_told_ready()) << "it is held until one has run";
    credit_meets(lacking);
    process_.clock.advance(1s);
    EXPECT_TRUE(holds_.not_admitted(credit_)) << "the next wait is longer";
    process_.clock.advance(1s);
    EXPECT_FALSE(holds_.not_admitted(credit_));
    credit_runs();
    expect_all_is_well();
}

TEST_F(EffectHoldsTest, ASlowOneWithoutEventsForAMinuteIsHeldNoLonger) {
    NoSession session;
    EXPECT_TRUE(holds_.look_again(set_, session.connection)) << "nothing is held";
    credit_meets(slow, 3);
    process_.clock.advance(59s);
    EXPECT_TRUE(holds_.look_again(set_, session.connection) && !is_told_ready());
    process_.clock.advance(1s);
    EXPECT_TRUE(holds_.look_again(set_, session.connection));
    expect_all_is_well();
}

}  // namespace
}  // namespace sluice::consumer
