#include <gtest/gtest.h>

#include "consumer/store/driver/error.hpp"
#include "ctl/effects/trial/trial.hpp"

namespace sluice::ctl {
namespace {

using consumer::Setback;
using effects::Outcome;

effects::EffectSet no_effects() {
    config::Problems problems;
    const auto document = config::Document::from_text("effects: []", "test.yaml", problems);
    return effects::EffectSet::read(document, {}, problems);
}

TrialEnd end_after(const Setback& setback) {
    return end_of(&setback, {}, no_effects(), WallTime{});
}

Setback came_to(Outcome outcome, std::string_view own_class = {}) {
    Setback setback;
    setback.outcome = outcome;
    setback.own_class = own_class;
    return setback;
}

Setback refused(unsigned int code) {
    Setback setback = came_to(Outcome::retry);
    setback.effect = "pay";
    setback.database = store::class_of(store::make_error(code, "HY000"));
    setback.of_effects = true;
    return setback;
}

TEST(TrialEnd, WhatIsIgnoredByAllChangesNothing) {
    std::vector<TrialEffect> run(2);
    run[0].verdict = effects::Verdict{Outcome::ignore, {}, {}, {}};
    run[1].verdict = effects::Verdict{Outcome::ignore, {}, {}, {}};
    EXPECT_EQ(end_of(nullptr, run, no_effects(), WallTime{}).kind, TrialEnd::Kind::ignored);
    run[1].verdict->outcome = Outcome::done;
    EXPECT_EQ(end_of(nullptr, run, no_effects(), WallTime{}).kind, TrialEnd::Kind::applied);
    EXPECT_EQ(end_of(nullptr, {}, no_effects(), WallTime{}).kind, TrialEnd::Kind::ignored);
}

TEST(TrialEnd, IsWhatTheConsumerMakesOfTheFirstAttempt) {
    EXPECT_EQ(end_after(came_to(Outcome::defer)).kind, TrialEnd::Kind::deferred);
    EXPECT_EQ(end_after(came_to(Outcome::retry)).kind, TrialEnd::Kind::retry);
    EXPECT_EQ(end_after(came_to(Outcome::park, "unreadable")).error_class, "unreadable");
    Setback twice = came_to(Outcome::park);
    twice.reason = "twice";
    twice.case_class = "paid_twice";
    EXPECT_EQ(end_after(twice).kind, TrialEnd::Kind::rule_case);
    EXPECT_EQ(sentence_of(end_after(twice)), "It would be an entry of kind case of class paid_twice: twice");
    EXPECT_EQ(end_after(came_to(Outcome::retry, consumer::source_unknown_class)).kind, TrialEnd::Kind::held);
}

TEST(TrialEnd, TellsServersErrorsApart) {
    EXPECT_EQ(end_after(refused(1146)).kind, TrialEnd::Kind::held) << "a table that is missing";
    EXPECT_EQ(end_after(refused(1213)).kind, TrialEnd::Kind::lost_lock);
    EXPECT_EQ(end_after(refused(2006)).kind, TrialEnd::Kind::trouble);
    EXPECT_EQ(end_after(refused(1406)).kind, TrialEnd::Kind::dead) << "a value that is too long";
}

TEST(TrialEnd, OnlyWhatWouldBeAppliedOrIgnoredIsGood) {
    EXPECT_TRUE(TrialEnd{TrialEnd::Kind::ignored}.is_good());
    EXPECT_FALSE(TrialEnd{TrialEnd::Kind::deferred}.is_good());
    EXPECT_EQ(name_of(TrialEnd::Kind::trouble), "trouble");
    EXPECT_EQ(name_of(TrialEnd::Kind::rule_case), "case");
}

}  // namespace
}  // namespace sluice::ctl
