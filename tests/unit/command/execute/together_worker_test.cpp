#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include <sys/wait.h>

#include "command/execute/share_of_time.hpp"
#include "tests/unit/command/execute/together_worker_fixture.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using Kind = Answer::Kind;

TEST_F(TogetherWorkerTest, EachIsToldItsOwn) {
    auto requests = deposits();
    requests.push_back(request("charge", "k6", "'account':'a','amount':99,'click':'1'"));
    requests.push_back(request("deposit", "k7", "'account':'a','amount':0"));  // out of bounds
    requests.push_back(request("deposit", "k1", "'account':'a','amount':1"));  // of the same key
    const auto told = told_together(requests);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(told[i].response.body, R"({"paid":1})") << told[i].why;
    EXPECT_EQ(told[5].response.body, R"({"error":"short","amount":99})");
    EXPECT_EQ(told[6].kind, Kind::refused);
    EXPECT_EQ(told[7].kind, Kind::replayed);
    EXPECT_EQ(balance("a"), 15);
}

TEST_F(TogetherWorkerTest, WhoeverHasToGoesAloneAndTheOthersAreDone) {
    auto requests = deposits();
    requests.push_back(request("note", "k6", "'click':'too long for it'"));
    const auto told = told_together(requests);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(told[i].kind, Kind::executed) << told[i].why;
    EXPECT_EQ(told[5].kind, Kind::failed);
    EXPECT_EQ(balance("a"), 15);
}

TEST_F(TogetherWorkerTest, WhatALockUndoesIsCountedAndDoneOneByOne) {
    const auto other = open();
    auto lock = store::OpenTransaction::begin(*other);
    run(*other, "UPDATE account SET word = 'held' WHERE name = 'a'");
    auto requests = deposits();
    for (Request& one : requests) one.answer_by = SystemClock{}.steady() + 4s;
    auto told = std::async(std::launch::async, [&] { return told_together(requests); });
    while (!process->exposition().contains("sluice_command_batches_undone_total 1")) {
    }
    lock->roll_back();
    (void)told.get();
    process->end();
    EXPECT_EQ(balance("a"), 15);
}

TEST_F(TogetherWorkerTest, WhoDiesBeforeTheCommitHasDoneNothing) {
    const int status = run_again("TogetherChild.*Together", database, "command.before_commit=kill@2");
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(WTERMSIG(status), SIGKILL);
    EXPECT_EQ(balance("a"), 10);
    const auto told = together(deposits());  // waits until the server has noticed
    EXPECT_TRUE(
        std::ranges::all_of(told, [](const auto& one) { return one->answer.kind == Kind::executed; }));
    EXPECT_EQ(balance("a"), 15);
}

TEST_F(TogetherWorkerTest, WhoDiesAfterTheCommitHasDoneAllOfThem) {
    const int status = run_again("TogetherChild.*Together", database, "command.after_commit=kill@2");
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(balance("a"), 15) << "in one transaction";
    for (const auto& one : together(deposits())) EXPECT_EQ(one->answer.kind, Kind::replayed);
    EXPECT_EQ(balance("a"), 15);
}

TEST_F(TogetherWorkerTest, ACommitThatNobodyAnsweredIsSettledForEach) {
    EXPECT_EQ(run_again("TogetherChild.*Together", database, "command.commit_unknown=error@2"), 0);
    EXPECT_EQ(balance("a"), 15);
    begin_anew();
    EXPECT_EQ(run_again("TogetherChild.*Commit", database, "command.commit_unknown=error"), 0);
    EXPECT_EQ(balance("a"), 15);
}

TEST(ShareOfTime, IsHalfOfWhatTheCallerWaitsForButNotTooLittle) {
    EXPECT_EQ(share_of_time(SteadyTime{2s}, SteadyTime{}), 1s);
    EXPECT_EQ(share_of_time(SteadyTime{10ms}, SteadyTime{}), 100ms);
    EXPECT_EQ(share_of_time(SteadyTime{}, SteadyTime{1s}), 100ms);
}

}  // namespace
}  // namespace sluice::command
