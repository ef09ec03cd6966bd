#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "consumer/store/driver/open_transaction.hpp"
#include "tests/unit/command/execute/executor_fixture.hpp"

namespace sluice::command {
namespace {

using Kind = Answer::Kind;
using State = Standing::State;

TEST_F(ExecutorTest, ASecondTimeGivesTheFirstResponseAndNoSecondEffect) {
    const auto process = start();
    const auto first = answer(*process, charge("c1", 30));
    EXPECT_EQ(first.kind, Kind::executed) << first.why;
    EXPECT_EQ(first.response.status, 201);
    EXPECT_EQ(first.response.body, R"({"charged":30,"left":70})");
    (void)answer(*process, charge("c2", 20));
    const auto second = answer(*process, charge("c1", 30));
    EXPECT_EQ(second.kind, Kind::replayed);
    EXPECT_EQ(second.response, first.response) << "as it was, though the balance has changed";
    EXPECT_EQ(balance(), 50);
    EXPECT_EQ(charges(), 2);
}

TEST_F(ExecutorTest, AnotherRequestUnderTheKeyIsRefused) {
    const auto process = start();
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Kind::executed);
    const auto other = answer(*process, charge("c1", 31));
    EXPECT_EQ(other.kind, Kind::mismatch);
    EXPECT_EQ(other.response.body, "");
    EXPECT_EQ(balance(), 70);
}

TEST_F(ExecutorTest, TheKeyOfAnotherCallerIsAnotherOne) {
    const auto process = start();
    EXPECT_EQ(answer(*process, charge("c1", 30, "ads")).kind, Kind::executed);
    EXPECT_EQ(answer(*process, charge("c1", 30, "shop")).kind, Kind::executed);
    EXPECT_EQ(balance(), 40);
}

TEST_F(ExecutorTest, TooLittleMoneyIsAResponseThatIsKeptAndNothingElse) {
    const auto process = start();
    const auto first = answer(*process, charge("c1", 101));
    EXPECT_EQ(first.kind, Kind::executed) << first.why;
    EXPECT_EQ(first.response.status, 409);
    EXPECT_EQ(first.response.body, R"({"error":"insufficient_balance","price":101})");
    EXPECT_EQ(charges(), 0) << "what the effect did before is taken back";
    run(*connection, "UPDATE merchant_balance SET balance = 1000");
    const auto second = answer(*process, charge("c1", 101));
    EXPECT_EQ(second.kind, Kind::replayed);
    EXPECT_EQ(second.response, first.response);
    EXPECT_EQ(balance(), 1000);
}

TEST_F(ExecutorTest, WhatIsOutOfBoundsIsRefusedAndNotKept) {
    const auto process = start();
    const auto refused = answer(*process, charge("c1", 0));
    EXPECT_EQ(refused.kind, Kind::refused);
    EXPECT_EQ(refused.why, ":price must be from 1 to 100000");
    auto unreadable = charge("c1", 1);
    unreadable.body = "{";
    EXPECT_EQ(answer(*process, unreadable).kind, Kind::refused);
    unreadable.body = "{}";
    EXPECT_EQ(answer(*process, unreadable).kind, Kind::refused);
    EXPECT_EQ(keys(), 0);
    EXPECT_EQ(answer(*process, charge("c1", 1)).kind, Kind::executed) << "the key is free";
}

TEST_F(ExecutorTest, WhatFailsIsNotKeptAndMayBeTriedAgain) {
    run(*connection, "DELETE FROM merchant_balance");
    const auto process = start();
    const auto failed = answer(*process, charge("c1", 30));
    EXPECT_EQ(failed.kind, Kind::failed);
    EXPECT_EQ(failed.why, "it ended with park, which is no answer");
    EXPECT_EQ(charges(), 0);
    EXPECT_EQ(keys(), 0);
    run(*connection, "INSERT INTO merchant_balance VALUES ('m1', 100)");
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Kind::executed);
}

TEST_F(ExecutorTest, AStatementThatFailsIsAFailureToo) {
    run(*connection, "ALTER TABLE click_charge ADD CONSTRAINT short CHECK (LENGTH(click) < 3)");
    const auto process = start();
    const auto failed = answer(*process, charge("c-long", 30));
    EXPECT_EQ(failed.kind, Kind::failed);
    EXPECT_EQ(failed.why, "a statement failed") << "and not the server's words";
    EXPECT_EQ(keys(), 0);
}

TEST_F(ExecutorTest, TheEffectIsCommittedBeforeTheCallerIsTold) {
    const auto process = start();
    std::promise<std::int64_t> seen;
    process->executor().execute(charge("c1", 30), [&](const Answer&) { seen.set_value(balance()); });
    EXPECT_EQ(seen.get_future().get(), 70);
}

TEST_F(ExecutorTest, OfManyAtOnceOneIsExecuted) {
    const auto one = start();
    const auto other = start();
    std::vector<std::future<Answer>> asked;
    for (int i = 0; i < 20; ++i) asked.push_back(ask(i % 2 == 0 ? *one : *other, charge("c1", 30)));
    std::vector<Answer> told;
    for (auto& each : asked) told.push_back(each.get());
    EXPECT_EQ(std::ranges::count(told, Kind::executed, &Answer::kind), 1);
    for (const Answer& each : told) {
        if (each.kind == Kind::in_progress || each.kind == Kind::goes_on) continue;
        EXPECT_EQ(each.response.body, R"({"charged":30,"left":70})") << each.why;
    }
    EXPECT_EQ(balance(), 70);
}

TEST_F(ExecutorTest, CommandsOfOneAccountAddUp) {
    run(*connection, "UPDATE merchant_balance SET balance = 1000");
    const auto one = start();
    const auto other = start();
    std::vector<std::future<Answer>> asked;
    for (int i = 0; i < 50; ++i)
        asked.push_back(ask(i % 2 == 0 ? *one : *other, charge("c" + std::to_string(i), 10)));
    for (auto& each : asked) EXPECT_EQ(each.get().kind, Kind::executed);
    EXPECT_EQ(balance(), 500);
}

TEST_F(ExecutorTest, AKeyThatExpiredIsANewOne) {
    const auto process = start();
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Kind::executed);
    run(*connection, "UPDATE command_key SET keep_until = UTC_TIMESTAMP(6)");
    run(*connection, "DELETE FROM click_charge");
    EXPECT_EQ(look_up(*process, charge("c1", 30).key).state, State::absent);
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Kind::executed);
    EXPECT_EQ(balance(), 40);
    EXPECT_EQ(keys(), 1);
}

TEST_F(ExecutorTest, ALookUpTellsWhatIsKnown) {
    const auto process = start();
    const auto request = charge("c1", 30);
    EXPECT_EQ(look_up(*process, request.key).state, State::absent);
    const auto told = answer(*process, request);
    const auto standing = look_up(*process, request.key);
    EXPECT_EQ(standing.state, State::done);
    EXPECT_EQ(standing.response, told.response);
    EXPECT_GT(standing.since, WallTime{});
    EXPECT_EQ(look_up(*process, charge("c1", 30, "shop").key).state, State::absent) << "another caller's";
}

TEST_F(ExecutorTest, WhatTakesLongIsToldAsInProgressAndGoesOn) {
    const auto process = start({.workers = 1, .queue = 1});
    const auto other = start();
    auto held = store::OpenTransaction::begin(*connection);
    run(*connection, "UPDATE merchant_balance SET balance = balance");
    const auto request = charge("c1", 30, "ads", Milliseconds{300});
    EXPECT_EQ(answer(*process, request).kind, Kind::goes_on);
    EXPECT_EQ(look_up(*other, request.key).state, State::in_progress) << "of another process";
    auto waiting = ask(*process, charge("c2", 30));
    EXPECT_EQ(answer(*process, charge("c3", 30)).kind, Kind::unavailable) << "too many wait";
    held->roll_back();
    EXPECT_EQ(waiting.get().kind, Kind::executed);
    EXPECT_EQ(look_up(*process, request.key).state, State::done);
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Kind::replayed);
    process->end();
    EXPECT_TRUE(process->exposition().contains(R"(sluice_command_late_total{command="charge-click"} 1)"));
    EXPECT_EQ(balance(), 40);
}

TEST_F(ExecutorTest, AnUnknownCommandIsRefused) {
    const auto process = start();
    auto request = charge("c1", 30);
    request.key.command = "give-away";
    EXPECT_EQ(answer(*process, request).kind, Kind::refused);
}

}  // namespace
}  // namespace sluice::command
