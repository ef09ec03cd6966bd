#include "consumer/store/driver/statement_watch.hpp"

#include <array>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "consumer/store/driver/time_limit.hpp"
#include "tests/unit/consumer/store/server/deaf_relay.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

/// Statements that would take minutes: that these tests end at all shows that they were ended.
class StatementWatchTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        mysql = settings();
        watch.emplace(mysql, clock, log);
        watched = open({.read = 60s});
        watched->be_watched(*watch);
        run(*watched, "CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL)");
        run(*watched, "INSERT INTO t VALUES (1, 0), (2, 0)");
    }

    void TearDown() override {
        watched.reset();
        watch.reset();
        ServerTest::TearDown();
    }

    /// An UPDATE that sleeps for each row that it looks at.
    static Result<std::int64_t> update_slowly(Connection& connection, std::int64_t seconds) {
        const std::array<Datum, 1> parameters{seconds};
        return connection.execute("UPDATE t SET v = v + 1 WHERE SLEEP(?) = 0", parameters);
    }

    static std::int64_t sessions(Connection& connection, std::int64_t id) {
        return number(connection,
                      "SELECT COUNT(*) FROM information_schema.processlist WHERE id = " + std::to_string(id));
    }

    Log log{{.program = "test", .level = LogLevel::error, .descriptor = 2}};
    SystemClock clock;
    config::MysqlSettings mysql;
    std::optional<StatementWatch> watch;
    std::unique_ptr<Connection> watched;
};

TEST_F(StatementWatchTest, EndsWhatTakesTooLongAndUndoesIt) {
    ASSERT_TRUE(watched->begin());
    ASSERT_TRUE(watched->execute("UPDATE t SET v = 7 WHERE id = 1", {}));
    {
        const TimeLimit limit{*watched, 200ms};
        const auto slow = update_slowly(*watched, 300);
        ASSERT_FALSE(slow);
        EXPECT_EQ(class_of_failure(slow), ErrorClass::overdue) << slow.error().message();
    }
    EXPECT_TRUE(watched->alive());
    EXPECT_EQ(class_of_failure(watched->commit()), ErrorClass::overdue) << "half of it would stay";
    ASSERT_TRUE(watched->rollback());
    EXPECT_EQ(number(*watched, "SELECT CAST(SUM(v) AS SIGNED) FROM t"), 0);
}

TEST_F(StatementWatchTest, LeavesWhatIsInTimeAlone) {
    for (int i = 0; i < 50; ++i) {
        const TimeLimit limit{*watched, 60s};
        ASSERT_EQ(update_slowly(*watched, 0), 2);
    }
    EXPECT_EQ(number(*watched, "SELECT v FROM t WHERE id = 1"), 50);
}

TEST_F(StatementWatchTest, TheNextStatementIsNotHit) {
    for (int i = 0; i < 5; ++i) {
        {
            const TimeLimit limit{*watched, 20ms};
            EXPECT_EQ(class_of_failure(update_slowly(*watched, 300)), ErrorClass::overdue);
        }
        ASSERT_EQ(watched->execute("UPDATE t SET v = v + 1 WHERE id = 1", {}), 1);
    }
}

TEST_F(StatementWatchTest, AKillThatMayStillBeUnderWayFindsItsSessionClosed) {
    DeafRelay relay{mysql.port};
    auto deaf = settings();
    deaf.port = relay.port();
    StatementWatch unheard{deaf, clock, log};
    watched->be_watched(unheard);
    const auto holder = open();
    ASSERT_TRUE(holder->begin());
    ASSERT_TRUE(holder->execute("UPDATE t SET v = 1 WHERE id = 1", {}));
    ASSERT_TRUE(watched->set_lock_wait(50s));
    auto slow = std::async(std::launch::async, [&] {
        const TimeLimit limit{*watched, 100ms};
        return watched->execute("UPDATE t SET v = 2 WHERE id = 1", {});
    });
    relay.wait_for_kill();
    ASSERT_TRUE(holder->rollback()) << "it ends by itself";
    EXPECT_EQ(class_of_failure(slow.get()), ErrorClass::connection);
    EXPECT_FALSE(watched->alive());
    watched.reset();  // before its watch
}

TEST_F(StatementWatchTest, WhatIsRefusedIsSaidOnceMoreOnANewSession) {
    // As after a fail-over: the session that the watch has does not know the one that it should end.
    auto elsewhere = settings();
    const std::string name = "of_" + database;
    elsewhere.user = config::Credential{name};
    run(*watched,
        "CREATE USER " + name + " IDENTIFIED BY '" + std::string{elsewhere.password.now().bytes()} + "'");
    run(*watched, "GRANT SELECT ON " + database + ".* TO " + name);
    StatementWatch moved{elsewhere, clock, log};
    watched->be_watched(moved);
    {
        const TimeLimit limit{*watched, 50ms};
        EXPECT_EQ(watched->execute("UPDATE t SET v = 7 WHERE id = 1 AND SLEEP(0.5) = 0", {}), 1) << "refused";
    }
    elsewhere.user = settings().user;
    {
        const TimeLimit limit{*watched, 200ms};
        EXPECT_EQ(class_of_failure(update_slowly(*watched, 300)), ErrorClass::overdue);
    }
    run(*watched, "DROP USER " + name);
    watched.reset();  // before its watch
}

TEST_F(StatementWatchTest, AKillThatComesBetweenStatementsHitsNone) {
    const auto id = number(*watched, "SELECT CONNECTION_ID()");
    const auto other = open();
    ASSERT_TRUE(watched->begin());
    for (int i = 0; i < 5; ++i) {
        run(*other, "KILL QUERY " + std::to_string(id));
        ASSERT_EQ(watched->execute("UPDATE t SET v = v + 1 WHERE id = 1", {}), 1);
    }
    run(*other, "KILL QUERY " + std::to_string(id));
    ASSERT_TRUE(watched->commit());
}

TEST_F(StatementWatchTest, AllStatementsOfALimitShareItsTime) {
    const TimeLimit limit{*watched, 1ms};
    while (watched->query("SELECT 1", {})) continue;
    EXPECT_EQ(class_of(watched->last_error().code), ErrorClass::overdue);
    EXPECT_EQ(class_of_failure(watched->query("SELECT 1", {})), ErrorClass::overdue) << "not even begun";
}

TEST_F(StatementWatchTest, WhatOnlySeemsToHaveWorkedCountsAsEnded) {
    const TimeLimit limit{*watched, 100ms};
    EXPECT_EQ(class_of_failure(watched->query("SELECT SLEEP(300)", {})), ErrorClass::overdue);
}

TEST_F(StatementWatchTest, EndsAWaitForALock) {
    const auto holder = open();
    ASSERT_TRUE(holder->begin());
    ASSERT_TRUE(holder->execute("UPDATE t SET v = 1 WHERE id = 1", {}));
    ASSERT_TRUE(watched->set_lock_wait(50s));
    const TimeLimit limit{*watched, 100ms};
    const auto blocked = watched->execute("UPDATE t SET v = 2 WHERE id = 1", {});
    EXPECT_EQ(class_of_failure(blocked), ErrorClass::overdue);
    ASSERT_TRUE(holder->rollback());
}

TEST_F(StatementWatchTest, WaitsForALockLessThanTheServerKnowsHowTo) {
    const auto holder = open();
    ASSERT_TRUE(holder->begin());
    ASSERT_TRUE(holder->execute("UPDATE t SET v = 1 WHERE id = 1", {}));
    ASSERT_TRUE(watched->set_lock_wait(50s));
    ASSERT_TRUE(watched->set_lock_wait(50s - 900ms)) << "the server still waits for 50 s";
    EXPECT_EQ(watched->execute("UPDATE t SET v = v + 1 WHERE id = 2", {}), 1) << "no limit, no hurry";
    ASSERT_TRUE(watched->set_lock_wait(100ms));
    const TimeLimit limit{*watched, 60s};
    EXPECT_EQ(code_of(watched->execute("UPDATE t SET v = 2 WHERE id = 1", {})), 1205);
    ASSERT_TRUE(holder->rollback());
    EXPECT_EQ(watched->execute("UPDATE t SET v = 2 WHERE id = 1", {}), 1);
}

TEST_F(StatementWatchTest, ASessionThatNobodyWaitsForLeavesNothingBehind) {
    auto impatient = open({.read = 1s, .statement = 0s});
    impatient->be_watched(*watch);
    const auto id = number(*impatient, "SELECT CONNECTION_ID()");
    ASSERT_TRUE(impatient->begin());
    ASSERT_EQ(class_of_failure(update_slowly(*impatient, 300)), ErrorClass::connection);
    const auto other = open({.read = 60s, .lock_wait = 50s});
    ASSERT_EQ(other->execute("UPDATE t SET v = 3 WHERE id = 1", {}), 1) << "its locks are gone";
    while (sessions(*other, id) > 0) std::this_thread::yield();
}

TEST_F(StatementWatchTest, ManyAreEndedSideBySide) {
    std::vector<std::thread> threads;
    std::array<ErrorClass, 8> ended{};
    for (auto& error_class : ended) {
        threads.emplace_back([&] {
            const auto connection = open({.read = 60s});
            connection->be_watched(*watch);
            const TimeLimit limit{*connection, 100ms};
            error_class = class_of_failure(connection->query("SELECT SLEEP(300)", {}));
        });
    }
    for (auto& thread : threads) thread.join();
    for (const auto error_class : ended) EXPECT_EQ(error_class, ErrorClass::overdue);
}

TEST_F(StatementWatchTest, WithoutAWatchThereIsNoLimit) {
    const auto unwatched = open();
    const TimeLimit limit{*unwatched, 1ms};
    EXPECT_EQ(update_slowly(*unwatched, 1), 2);
    EXPECT_EQ(update_slowly(*unwatched, 0), 2);
}

TEST_F(StatementWatchTest, MariaDbEndsAStatementByItself) {
    const auto alone = open({.statement = 1s});
    if (!alone->is_mariadb()) return;  // MySQL ends nothing that changes rows
    const auto slow = update_slowly(*alone, 300);
    EXPECT_EQ(code_of(slow), 1969);
    EXPECT_TRUE(alone->alive());
}

TEST_F(StatementWatchTest, ATableThatSomebodyAltersIsWaitedForAsARowIs) {
    const auto holder = open();
    run(*holder, "LOCK TABLES t WRITE");
    ASSERT_TRUE(watched->set_lock_wait(1s));
    EXPECT_EQ(code_of(watched->execute("UPDATE t SET v = 2 WHERE id = 1", {})), 1205);
    run(*holder, "UNLOCK TABLES");
}

}  // namespace
}  // namespace sluice::store
