#include "command/record/rules.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

using Kind = Answer::Kind;
using State = CallEnd::State;

const crypto::Digest five_cents = crypto::sha256("5 cents");
const crypto::Digest six_cents = crypto::sha256("6 cents");
const Response paid{.status = 201, .body = "paid"};

KnownCall in_progress(bool is_due = false) {
    return {.claim = {.owner = "o", .fence = 3}, .fingerprint = five_cents, .is_due = is_due};
}

KnownCall over(State state, bool is_due = false) {
    KnownCall known = in_progress(is_due);
    known.end = CallEnd{.state = state, .response = state == State::done ? paid : Response{}, .why = "so"};
    return known;
}

TEST(CallRules, AKeyThatNobodyKnowsIsFree) {
    EXPECT_EQ(step_for(std::nullopt, five_cents), Step::insert);
}

TEST(CallRules, WhatIsInProgressIsNeverFree) {
    EXPECT_EQ(step_for(in_progress(), five_cents), Step::tell);
    EXPECT_EQ(step_for(in_progress(true), five_cents), Step::take_over) << "to ask, and not to call";
    EXPECT_EQ(step_for(in_progress(true), six_cents), Step::tell);
}

TEST(CallRules, OnlyWhatWasCertainlyNotDoneIsTriedAgain) {
    EXPECT_EQ(step_for(over(State::done), five_cents), Step::tell);
    EXPECT_EQ(step_for(over(State::failed), five_cents), Step::restart);
    EXPECT_EQ(step_for(over(State::failed), six_cents), Step::tell) << "the fingerprint stays";
    EXPECT_EQ(step_for(over(State::given_up), five_cents), Step::tell);
}

TEST(CallRules, AKeyThatExpiredIsANewOneForAnyRequest) {
    for (const State state : {State::done, State::failed, State::given_up}) {
        EXPECT_EQ(step_for(over(state, true), five_cents), Step::restart);
        EXPECT_EQ(step_for(over(state, true), six_cents), Step::restart);
        EXPECT_EQ(standing_of(over(state, true)).state, Standing::State::absent);
    }
}

TEST(CallRules, EachStateHasItsAnswer) {
    EXPECT_EQ(answer_from(in_progress(), five_cents).kind, Kind::in_progress);
    EXPECT_EQ(answer_from(over(State::done), five_cents).kind, Kind::replayed);
    EXPECT_EQ(answer_from(over(State::done), five_cents).response, paid);
    EXPECT_EQ(answer_from(over(State::failed), five_cents).kind, Kind::not_executed);
    EXPECT_EQ(answer_from(over(State::given_up), five_cents).kind, Kind::not_known);
    for (const KnownCall& known : {in_progress(), over(State::done), over(State::given_up)}) {
        EXPECT_EQ(answer_from(known, six_cents).kind, Kind::mismatch);
        EXPECT_EQ(answer_from(known, six_cents).response.body, "") << "another request learns nothing";
    }
}

TEST(CallRules, ALookUpTellsTheState) {
    EXPECT_EQ(standing_of(std::nullopt).state, Standing::State::absent);
    EXPECT_EQ(standing_of(in_progress(true)).state, Standing::State::in_progress);
    EXPECT_EQ(standing_of(over(State::done)).response, paid);
    EXPECT_TRUE(standing_of(over(State::failed)).is_retryable);
    EXPECT_FALSE(standing_of(over(State::given_up)).is_retryable);
    EXPECT_EQ(standing_of(over(State::given_up)).why, "so");
}

TEST(CallRules, WhileARequestIsHeldNothingIsAbsentOrNotDone) {
    using Is = Standing::State;
    const WallTime since{std::chrono::seconds{1'790'000'000}};
    for (const auto& known : {std::optional<KnownCall>{}, std::optional{over(State::failed)}}) {
        EXPECT_EQ(standing_while_held(standing_of(known), since).state, Is::in_progress);
        EXPECT_EQ(standing_while_held(standing_of(known), since).since, since);
        EXPECT_EQ(standing_while_held(standing_of(known), {}).state, standing_of(known).state);
    }
    EXPECT_EQ(standing_while_held(standing_of(over(State::done)), since).response, paid);
    EXPECT_EQ(standing_while_held(standing_of(over(State::given_up)), since).state, Is::failed);
}

}  // namespace
}  // namespace sluice::command
