#include <gtest/gtest.h>

#include <csignal>
#include <utility>

#include <sys/wait.h>

#include "consumer/store/driver/open_transaction.hpp"
#include "tests/unit/command/execute/executor_fixture.hpp"

namespace sluice::command {
namespace {

using Kind = Answer::Kind;

class ExecutorTroubleTest : public ExecutorTest {
protected:
    void SetUp() override {
        ExecutorTest::SetUp();
        watcher_ = open();
        run(*watcher_, "SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED");
    }

    /// Another process executes the charge c1, and dies at the failpoint.
    void die_at(const std::string& failpoint) const {
        const int status = run_again("ExecutorChild.*", database, failpoint + "=kill");
        ASSERT_TRUE(WIFSIGNALED(status));
        ASSERT_EQ(WTERMSIG(status), SIGKILL);
    }

    /// The session whose effect has begun, and waits for what the test holds or is about to: once there is
    /// one.
    std::int64_t session_at_work() {
        for (;;) {
            const auto found = number(*watcher_, "SELECT COALESCE(MAX(session), 0) FROM click_charge");
            if (found != 0) return found;
        }
    }

private:
    std::unique_ptr<store::Connection> watcher_;
};

TEST_F(ExecutorTroubleTest, WhoDiesBeforeTheCommitHasDoneNothing) {
    die_at("command.before_commit");
    const auto process = start();
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Kind::executed) << "once the server has noticed";
    EXPECT_EQ(balance(), 70);
    EXPECT_EQ(charges(), 1);
}

TEST_F(ExecutorTroubleTest, WhoDiesAfterTheCommitHasDoneItAll) {
    die_at("command.after_commit");
    EXPECT_EQ(balance(), 70);
    const auto process = start();
    const auto again = answer(*process, charge("c1", 30));
    EXPECT_EQ(again.kind, Kind::replayed);
    EXPECT_EQ(again.response.body, R"({"charged":30,"left":70})");
    EXPECT_EQ(balance(), 70);
}

TEST_F(ExecutorTroubleTest, ASessionThatIsEndedBeforeTheCommitIsFollowedByAnother) {
    const auto process = start();
    auto held = store::OpenTransaction::begin(*connection);
    run(*connection, "UPDATE merchant_balance SET balance = balance");
    auto waiting = ask(*process, charge("c1", 30));
    run(*connection, "KILL " + std::to_string(session_at_work()));
    held->roll_back();
    const auto told = waiting.get();
    EXPECT_EQ(told.kind, Kind::executed) << told.why;
    EXPECT_EQ(balance(), 70);
    EXPECT_EQ(charges(), 1);
}

TEST_F(ExecutorTroubleTest, WithoutADatabaseNobodyIsKeptWaiting) {
    auto nowhere = settings();
    nowhere.port = 1;
    TestProcess process{set, std::move(nowhere), {}};
    EXPECT_EQ(answer(process, charge("c1", 30)).kind, Kind::unavailable);
    EXPECT_FALSE(process.is_ready());
}

/// With an account that may not write there, as administrators may. A COMMIT of its successor may be missing.
TEST_F(ExecutorTroubleTest, OnAServerThatWasDemotedNothingIsAbsent) {
    auto plain = settings();
    const std::string name = "plain_" + database.substr(database.size() - 8);
    const auto account = "'" + name + "'@'%'";
    run(*connection, "CREATE USER " + account + " IDENTIFIED BY 'plain'");
    run(*connection, "GRANT ALL ON " + database + ".* TO " + account);
    plain.user = config::Credential{name};
    plain.password = config::Credential{"plain"};
    TestProcess process{set, std::move(plain), {}};
    const Key known = charge("c1", 30).key;
    const Key unknown = charge("c2", 30).key;
    ASSERT_EQ(answer(process, charge("c1", 30)).kind, Kind::executed);
    EXPECT_EQ(look_up(process, unknown).state, Standing::State::absent);
    run(*connection, "SET GLOBAL read_only = 1");
    const Standing first_response = look_up(process, known);
    const auto said = looked_up(process, unknown);
    run(*connection, "SET GLOBAL read_only = 0");
    run(*connection, "DROP USER " + account);
    EXPECT_EQ(first_response.state, Standing::State::done) << "which is the same everywhere";
    EXPECT_FALSE(said);
}

TEST_F(ExecutorTroubleTest, WithoutItsTableNothingIsDone) {
    run(*connection, "DROP TABLE command_key");
    const auto process = start();
    EXPECT_EQ(answer(*process, charge("c1", 30)).kind, Kind::unavailable);
    EXPECT_EQ(balance(), 100);
}

TEST_F(ExecutorTroubleTest, AtTheEndWhatHasBegunIsFinishedAndWhatWaitsIsTurnedAway) {
    const auto process = start({.workers = 1});
    auto held = store::OpenTransaction::begin(*connection);
    run(*connection, "UPDATE merchant_balance SET balance = balance");
    auto begun = ask(*process, charge("c1", 30));
    (void)session_at_work();
    auto waiting = ask(*process, charge("c2", 30));
    auto ended = std::async(std::launch::async, [&] { process->end(); });
    EXPECT_EQ(waiting.get().kind, Kind::unavailable);
    held->roll_back();
    EXPECT_EQ(begun.get().kind, Kind::executed);
    ended.get();
    EXPECT_EQ(balance(), 70);
}

}  // namespace
}  // namespace sluice::command
