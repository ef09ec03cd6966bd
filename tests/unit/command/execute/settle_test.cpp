#include "command/execute/settle.hpp"

#include <gtest/gtest.h>

#include "command/execute/attempt.hpp"
#include "consumer/store/driver/open_transaction.hpp"
#include "consumer/store/driver/statement_watch.hpp"
#include "tests/unit/command/execute/executor_fixture.hpp"

namespace sluice::command {
namespace {

using namespace std::chrono_literals;
using Kind = Answer::Kind;
using End = Attempted::End;

class SettleTest : public ExecutorTest {
protected:
    void SetUp() override {
        ExecutorTest::SetUp();
        watch.emplace(mysql = settings(), clock, log);
        session = open();
        session->be_watched(*watch);
        ASSERT_FALSE(command().read());
    }
    PreparedCommand& command() {
        if (!prepared) prepared.emplace(*set.find("charge-click"), request = charge("c1", 30), clock.wall());
        return *prepared;
    }
    Answer settled() { return settle(command(), if_done, *session, 200ms); }

    const SystemClock clock;
    Log log{{.program = "test", .level = LogLevel::error, .descriptor = 2}};
    config::MysqlSettings mysql;
    std::optional<store::StatementWatch> watch;
    std::unique_ptr<store::Connection> session;
    Request request;
    std::optional<PreparedCommand> prepared;
    Answer if_done{.kind = Kind::executed,
                   .response = {.status = 201, .body = R"({"charged":30,"left":70})"}};
};

TEST_F(SettleTest, WhatIsThereWasExecuted) {
    EXPECT_EQ(attempt(command(), *session, 1s).end, End::settled);
    const auto said = settled();
    EXPECT_EQ(said.kind, Kind::executed);
    EXPECT_EQ(said.response, if_done.response);
}

TEST_F(SettleTest, WhatIsNotThereWasRolledBack) {
    EXPECT_EQ(settled().kind, Kind::failed);
}

TEST_F(SettleTest, WhatIsStillOpenIsNotKnown) {
    auto open = store::OpenTransaction::begin(*connection);
    ASSERT_TRUE(store::insert_command_key(
        *connection, {command().key(), request.fingerprint, "charge-click", "ads", "c1", 1h}));
    EXPECT_EQ(settled().kind, Kind::unavailable);
    open->roll_back();
    EXPECT_EQ(settled().kind, Kind::failed);
}

TEST_F(SettleTest, WhatAnotherOneDidIsItsResponse) {
    ASSERT_EQ(attempt(command(), *session, 1s).end, End::settled);
    run(*connection, "UPDATE command_key SET response = 'another'");
    EXPECT_EQ(settled().kind, Kind::replayed);
    run(*connection, "UPDATE command_key SET fingerprint = 'another'");
    EXPECT_EQ(settled().kind, Kind::mismatch);
}

// Whether or not it is swept by then.
TEST_F(SettleTest, AKeyThatHasExpiredIsExecutedAgain) {
    ASSERT_EQ(attempt(command(), *session, 1s).answer.kind, Kind::executed);
    EXPECT_EQ(attempt(command(), *session, 1s).answer.kind, Kind::replayed);
    run(*connection, "UPDATE command_key SET keep_until = UTC_TIMESTAMP(6)");
    run(*connection, "DELETE FROM click_charge");
    EXPECT_EQ(attempt(command(), *session, 1s).answer.kind, Kind::executed);
    EXPECT_EQ(balance(), 40);
    EXPECT_EQ(keys(), 1);
}

TEST_F(SettleTest, AKeyThatIsOpenElsewhereIsInProgress) {
    auto open = store::OpenTransaction::begin(*connection);
    ASSERT_TRUE(store::insert_command_key(
        *connection, {command().key(), request.fingerprint, "charge-click", "ads", "c1", 1h}));
    EXPECT_EQ(attempt(command(), *session, 200ms).answer.kind, Kind::in_progress);
    open->roll_back();
    EXPECT_EQ(attempt(command(), *session, 200ms).answer.kind, Kind::executed);
}

}  // namespace
}  // namespace sluice::command
