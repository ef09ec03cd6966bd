#include "command/record/by_hand.hpp"

#include <gtest/gtest.h>

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using Ends = CallEnd::State;

constexpr WallTime begun{1'000h};

const Definition& a_call() {
    static const Definition definition = [] {
        Definition made;
        made.call = std::make_unique<CallDefinition>(CallDefinition{.lease = 30s});
        return made;
    }();
    return definition;
}

const Definition an_effect{};

std::string objection(std::optional<KnownCall> known, WallTime now = begun + 10min,
                      Seen seen = Seen::not_executed) {
    return why_not_by_hand(known, a_call(), seen, now);
}

KnownCall still_open() {
    return {.begun_at = begun, .is_due = true};
}

KnownCall that_ended(Ends state, bool is_due = false) {
    return {.end = CallEnd{.state = state}, .begun_at = begun, .is_due = is_due};
}

TEST(ByHand, WhatMayStillBeSentIsLeftAlone) {
    EXPECT_NE(objection(still_open(), begun + 5min + 29s), "");
    EXPECT_EQ(objection(still_open(), begun + 5min + 30s), "");
    EXPECT_NE(objection(still_open(), begun + 1min, Seen::executed), "");
}

TEST(ByHand, WhatMayStillBeExecutedIsNotSaidToBeNotExecuted) {
    const KnownCall given_up = that_ended(Ends::given_up);
    EXPECT_NE(objection(given_up, begun + 5min + 29s), "");
    EXPECT_EQ(objection(given_up, begun + 5min + 30s), "");
    EXPECT_EQ(objection(given_up, begun + 1s, Seen::executed), "");
}

TEST(ByHand, WhatNobodyWillFindOutIsForAPerson) {
    EXPECT_EQ(objection(that_ended(Ends::given_up)), "");
    EXPECT_EQ(why_not_by_hand(that_ended(Ends::given_up), an_effect, Seen::not_executed, begun), "");
}

TEST(ByHand, AFirstResponseAndWhatMayBeTriedAgainStayAsTheyAre) {
    EXPECT_NE(objection(that_ended(Ends::done)), "");
    EXPECT_NE(objection(that_ended(Ends::failed)), "");
    EXPECT_NE(objection(that_ended(Ends::given_up, true)), "") << "the key is a new one";
    EXPECT_NE(objection(std::nullopt), "");
}

TEST(ByHand, WhatWasNotExecutedMayBeCalledAgainButWasNotBookedForGood) {
    const CallEnd called = ended_by_hand(Seen::not_executed, a_call(), {}, "ada: seen");
    EXPECT_EQ(called, (CallEnd{.state = Ends::failed, .why = "ada: seen"}));
    const CallEnd booked = ended_by_hand(Seen::not_executed, an_effect, {}, "ada: seen");
    EXPECT_EQ(booked.state, Ends::done);
    EXPECT_EQ(booked.response.status, 409);
    EXPECT_EQ(booked.response.body, R"({"error":"not_booked"})");
}

TEST(ByHand, WhatWasExecutedGetsTheResponseThatIsGiven) {
    const Response given{.status = 201, .body = "{}"};
    EXPECT_EQ(ended_by_hand(Seen::executed, a_call(), given, "ada: seen"),
              (CallEnd{.response = given, .why = "ada: seen"}));
}

KnownCall after(std::int64_t fence, std::optional<CallEnd> end, std::string owner = "o") {
    return {.claim = {.owner = std::move(owner), .fence = fence}, .end = std::move(end)};
}

TEST(ByHand, WhatNobodyConfirmedIsKnownByWhatWasWritten) {
    const KnownCall seen = after(7, CallEnd{.state = Ends::given_up, .why = "broke off"});
    const CallEnd end{.response = {.body = "{}"}, .why = "by hand, ada: seen"};
    CallEnd of_another = end;
    of_another.why = "by hand, bob: seen";
    CallEnd other_response = end;
    other_response.response.body = "[]";
    EXPECT_EQ(ended_by(after(8, end), seen, end), EndedBy::us);
    EXPECT_EQ(ended_by(after(8, of_another), seen, end), EndedBy::another);
    EXPECT_EQ(ended_by(after(8, other_response), seen, end), EndedBy::another);
    EXPECT_EQ(ended_by(after(8, end, "p"), seen, end), EndedBy::another);
    EXPECT_EQ(ended_by(after(8, std::nullopt), seen, end), EndedBy::another) << "its owner goes on";
    EXPECT_EQ(ended_by(after(7, end), seen, end), EndedBy::another) << "its owner has ended it";
}

TEST(ByHand, WhatHasChangedTwiceMayHaveBeenOurs) {
    const KnownCall seen = after(7, std::nullopt);
    const CallEnd end{.state = Ends::failed, .why = "by hand, ada: not there"};
    EXPECT_EQ(ended_by(after(9, std::nullopt, "p"), seen, end), EndedBy::nobody_knows) << "called again";
    EXPECT_EQ(ended_by(after(9, end), seen, end), EndedBy::nobody_knows);
    EXPECT_EQ(ended_by(std::nullopt, seen, end), EndedBy::nobody_knows) << "the record has forgotten it";
}

}  // namespace
}  // namespace sluice::command
