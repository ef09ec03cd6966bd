#include <array>
#include <thread>

#include "consumer/store/driver/connection.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

using namespace std::chrono_literals;

/// What goes wrong between two transactions, and what a connection then refuses to do.
class TroubleTest : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        first = open();
        second = open();
        run(*first, "CREATE TABLE t (id INT PRIMARY KEY, v INT NOT NULL)");
        run(*first, "INSERT INTO t VALUES (1, 0), (2, 0)");
    }

    void TearDown() override {
        first.reset();  // an open transaction would hold up the DROP
        second.reset();
        ServerTest::TearDown();
    }

    static Result<std::int64_t> set(Connection& connection, std::int64_t id, std::int64_t value) {
        const std::array<Datum, 2> parameters{value, id};
        return connection.execute("UPDATE t SET v = ? WHERE id = ?", parameters);
    }

    std::int64_t sum() { return number(*open(), "SELECT CAST(SUM(v) AS SIGNED) FROM t"); }

    std::unique_ptr<Connection> first;
    std::unique_ptr<Connection> second;
};

TEST_F(TroubleTest, CommitsWhatWasDone) {
    ASSERT_TRUE(first->begin());
    EXPECT_TRUE(first->in_transaction());
    ASSERT_EQ(set(*first, 1, 7), 1);
    EXPECT_EQ(sum(), 0);
    ASSERT_TRUE(first->commit());
    EXPECT_FALSE(first->in_transaction());
    EXPECT_EQ(sum(), 7);
}

TEST_F(TroubleTest, RollsBackWhatWasDone) {
    ASSERT_TRUE(first->begin());
    ASSERT_EQ(set(*first, 1, 7), 1);
    ASSERT_TRUE(first->rollback());
    EXPECT_EQ(sum(), 0);
    EXPECT_TRUE(first->rollback()) << "nothing to roll back is fine";
}

TEST_F(TroubleTest, RollsBackWhenTheConnectionGoes) {
    ASSERT_TRUE(first->begin());
    ASSERT_EQ(set(*first, 1, 7), 1);
    first.reset();
    EXPECT_EQ(set(*second, 1, 8), 1);
    EXPECT_EQ(sum(), 8);
}

TEST_F(TroubleTest, RefusesToCommitAfterALockWaitTimedOut) {
    ASSERT_TRUE(first->begin());
    ASSERT_EQ(set(*first, 1, 7), 1);
    ASSERT_TRUE(second->set_lock_wait(1s));
    ASSERT_TRUE(second->begin());
    ASSERT_EQ(set(*second, 2, 9), 1);
    const auto lost = set(*second, 1, 9);
    ASSERT_FALSE(lost);
    EXPECT_EQ(code_of(lost), 1205);
    EXPECT_EQ(class_of_failure(lost), ErrorClass::lost_lock);

    EXPECT_EQ(code_of(second->commit()), 1205);
    EXPECT_EQ(code_of(set(*second, 2, 9)), 1205);
    EXPECT_TRUE(second->in_transaction());
    ASSERT_TRUE(second->rollback());
    ASSERT_TRUE(first->commit());
    EXPECT_EQ(sum(), 7) << "half of a transaction was committed";
    EXPECT_EQ(set(*second, 1, 1), 1) << "after the rollback it works again";
}

TEST_F(TroubleTest, RefusesToGoOnAfterADeadlock) {
    ASSERT_TRUE(first->begin());
    ASSERT_TRUE(second->begin());
    ASSERT_EQ(set(*first, 1, 1), 1);
    ASSERT_EQ(set(*second, 2, 10), 1);
    Result<std::int64_t> firsts;
    std::thread waits{[&] { firsts = set(*first, 2, 2); }};
    const auto seconds = set(*second, 1, 20);
    waits.join();
    ASSERT_NE(firsts.has_value(), seconds.has_value()) << "one of the two loses";
    auto& loser = firsts ? *second : *first;
    auto& winner = firsts ? *first : *second;
    EXPECT_EQ(code_of((firsts ? seconds : firsts)), 1213);

    // The server rolled the loser back already: a statement now would be a transaction of its own.
    EXPECT_EQ(code_of(set(loser, 1, 100)), 1213);
    EXPECT_EQ(code_of(loser.commit()), 1213);
    ASSERT_TRUE(loser.rollback());
    ASSERT_TRUE(winner.commit());
    EXPECT_EQ(sum(), firsts ? 3 : 30);
}

TEST_F(TroubleTest, RefusesToCommitAfterADuplicate) {
    ASSERT_TRUE(first->begin());
    ASSERT_EQ(set(*first, 1, 7), 1);
    const auto twice = first->execute("INSERT INTO t VALUES (2, 0)", {});
    ASSERT_FALSE(twice);
    EXPECT_EQ(class_of_failure(twice), ErrorClass::duplicate);
    EXPECT_FALSE(first->commit());
    ASSERT_TRUE(first->rollback());
    EXPECT_EQ(sum(), 0);
}

TEST_F(TroubleTest, GoesOnAfterAnErrorOutsideATransaction) {
    EXPECT_FALSE(first->execute("INSERT INTO t VALUES (2, 0)", {}));
    EXPECT_TRUE(first->alive());
    EXPECT_EQ(set(*first, 1, 7), 1);
}

TEST_F(TroubleTest, DiesWhenATransactionIsBegunTwice) {
    ASSERT_TRUE(first->begin());
    ASSERT_EQ(set(*first, 1, 7), 1);
    EXPECT_EQ(class_of_failure(first->begin()), ErrorClass::connection);
    EXPECT_FALSE(first->alive());
    EXPECT_EQ(sum(), 0) << "START TRANSACTION would have committed";
}

TEST_F(TroubleTest, DiesWhenATransactionEndsBehindItsBack) {
    ASSERT_TRUE(first->begin());
    ASSERT_EQ(set(*first, 1, 7), 1);
    EXPECT_EQ(class_of_failure(first->run("CREATE TABLE other (a INT)")), ErrorClass::connection);
    EXPECT_FALSE(first->alive());
}

TEST_F(TroubleTest, WritesNothingAfterATransactionThatEndedBehindItsBack) {
    for (const auto* end : {"COMMIT", "ROLLBACK"}) {
        const auto connection = open();
        ASSERT_TRUE(connection->begin());
        ASSERT_EQ(set(*connection, 1, 7), 1);
        run(*connection, end);  // as if a proxy or the server had done so
        EXPECT_EQ(class_of_failure(set(*connection, 2, 9)), ErrorClass::connection) << end;
        EXPECT_FALSE(connection->alive());
        EXPECT_EQ(number(*open(), "SELECT v FROM t WHERE id = 2"), 0) << "it was committed by itself";
    }
}

TEST_F(TroubleTest, TakesNoLockAfterATransactionThatEndedBehindItsBack) {
    ASSERT_TRUE(first->begin());
    run(*first, "COMMIT");
    const auto locked = first->query("SELECT v FROM t WHERE id = 1 FOR UPDATE", {});
    EXPECT_EQ(class_of_failure(locked), ErrorClass::connection);
    EXPECT_FALSE(first->alive());
}

TEST_F(TroubleTest, NoTriggerOrFunctionEndsATransaction) {
    run(*first, "CREATE PROCEDURE commits() COMMIT");
    run(*first, "CREATE PROCEDURE makes() CREATE TABLE other (a INT)");
    run(*first, "CREATE TABLE fires (a INT)");
    run(*first,
        "CREATE FUNCTION of_one() RETURNS INT DETERMINISTIC MODIFIES SQL DATA BEGIN CALL makes(); RETURN 1; "
        "END");
    run(*first, "CREATE TRIGGER fired BEFORE INSERT ON fires FOR EACH ROW CALL commits()");
    constexpr int commit_not_allowed = 1422;
    for (const auto* statement : {"INSERT INTO fires VALUES (1)", "UPDATE t SET v = of_one() WHERE id = 2"}) {
        ASSERT_TRUE(second->begin());
        ASSERT_EQ(set(*second, 1, 7), 1);
        EXPECT_EQ(code_of(second->execute(statement, {})), commit_not_allowed);
        EXPECT_EQ(code_of(second->commit()), commit_not_allowed);
        ASSERT_TRUE(second->rollback());
    }
    EXPECT_EQ(sum(), 0);
}

TEST_F(TroubleTest, BelievesATriggerThatTheServerIsReadOnly) {
    run(*first,
        "CREATE TRIGGER demoted BEFORE UPDATE ON t FOR EACH ROW"
        " SIGNAL SQLSTATE '25006' SET MYSQL_ERRNO = 1792, MESSAGE_TEXT = 'read only'");
    ASSERT_TRUE(second->begin());
    EXPECT_EQ(class_of_failure(set(*second, 1, 7)), ErrorClass::unavailable);
    EXPECT_TRUE(second->alive());
    ASSERT_TRUE(second->rollback());
}

TEST_F(TroubleTest, WritesOutsideOfTransactionsToo) {
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(first->begin());
        ASSERT_EQ(set(*first, 1, 7), 1);
        ASSERT_TRUE(first->commit());
        EXPECT_EQ(first->check("UPDATE t SET v = ?"), 1U);
        EXPECT_EQ(set(*first, 2, i), 1);
        EXPECT_EQ(first->insert("INSERT INTO t VALUES (2, 0)", {}), false);
        run(*first, "CREATE TABLE other" + std::to_string(i) + " (a INT)");
    }
    EXPECT_EQ(sum(), 8);
}

TEST_F(TroubleTest, SaysOfACommitThatItsSessionWasKilled) {
    ASSERT_TRUE(first->begin());
    ASSERT_EQ(set(*first, 1, 7), 1);
    run(*second, "KILL " + std::to_string(number(*first, "SELECT CONNECTION_ID()")));
    EXPECT_EQ(class_of_failure(first->commit()), ErrorClass::connection);
    EXPECT_EQ(sum(), 0);
}

TEST_F(TroubleTest, LeavesASessionReadOnlyThatTheServerMadeSo) {
    run(*first, "SET GLOBAL transaction_read_only = 1");
    const auto connection = open();
    run(*first, "SET GLOBAL transaction_read_only = 0");
    ASSERT_TRUE(connection->begin());
    EXPECT_EQ(class_of_failure(set(*connection, 1, 7)), ErrorClass::unavailable);
    ASSERT_TRUE(connection->rollback());
    EXPECT_EQ(class_of_failure(set(*connection, 1, 7)), ErrorClass::unavailable);
    EXPECT_TRUE(connection->alive());
}

TEST_F(TroubleTest, ThrowsOnACommitWithoutATransaction) {
    EXPECT_THROW(static_cast<void>(first->commit()), std::logic_error);
}

TEST_F(TroubleTest, IsDeadWhenItsSessionWasKilled) {
    const auto id = number(*first, "SELECT CONNECTION_ID()");
    run(*second, "KILL " + std::to_string(id));
    const auto after = first->query("SELECT 1", {});
    ASSERT_FALSE(after);
    EXPECT_EQ(class_of_failure(after), ErrorClass::connection) << after.error().value();
    EXPECT_FALSE(first->alive());
    EXPECT_FALSE(first->begin());
    EXPECT_FALSE(first->rollback());
    EXPECT_FALSE(first->ping());
    EXPECT_FALSE(first->run("SELECT 1"));
    EXPECT_FALSE(first->check("SELECT 1"));
}

TEST_F(TroubleTest, IsDeadWhenTheServerClosedItAsIdle) {
    run(*first, "SET SESSION wait_timeout = 1");
    static_cast<void>(number(*second, "SELECT SLEEP(3)"));
    const auto after = first->begin();
    ASSERT_FALSE(after);
    EXPECT_EQ(class_of_failure(after), ErrorClass::connection) << after.error().value();
    EXPECT_FALSE(first->alive());
}

TEST_F(TroubleTest, FindsOutByAPing) {
    EXPECT_TRUE(first->ping());
    run(*second, "KILL " + std::to_string(number(*first, "SELECT CONNECTION_ID()")));
    EXPECT_EQ(class_of_failure(first->ping()), ErrorClass::connection);
    EXPECT_FALSE(first->alive());
}

TEST_F(TroubleTest, GivesUpOnAServerThatDoesNotAnswer) {
    const auto impatient = open({.read = 1s});
    const auto answer = impatient->query("SELECT SLEEP(5)", {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(class_of_failure(answer), ErrorClass::connection) << answer.error().value();
    EXPECT_FALSE(impatient->alive());
}

TEST_F(TroubleTest, TakesAReadOnlyServerForUnavailable) {
    auto plain = settings();
    const std::string name = "plain_" + database.substr(database.size() - 8);
    plain.user = config::Credential{name};
    const auto account = "'" + name + "'@'%'";
    run(*first, "CREATE USER " + account + " IDENTIFIED BY 'plain'");
    run(*first, "GRANT ALL ON " + database + ".* TO " + account);
    plain.password = config::Credential{"plain"};
    ServerError error;
    const auto connection = Connection::open(plain, &error);
    ASSERT_TRUE(connection) << error.message;

    run(*first, "SET GLOBAL read_only = 1");
    const auto refused = set(**connection, 1, 7);
    run(*first, "SET GLOBAL read_only = 0");
    run(*first, "DROP USER " + account);
    ASSERT_FALSE(refused);
    EXPECT_EQ(class_of_failure(refused), ErrorClass::unavailable) << refused.error().value();
    EXPECT_TRUE((*connection)->alive());
}

TEST_F(TroubleTest, AValueThatIsTooLargeForTheServerIsRefusedAndNoLaterOneIs) {
    run(*first, "CREATE TABLE large (v LONGBLOB NOT NULL)");
    const auto most = number(*first, "SELECT CAST(@@max_allowed_packet AS SIGNED)");
    const auto put = [this](std::size_t size) {
        const std::string value(size, 'x');
        const std::array<Datum, 1> parameters{Bytes{value}};
        return first->execute("INSERT INTO large (v) VALUES (?)", parameters);
    };
    EXPECT_EQ(put(10), 1);
    const auto refused = put(static_cast<std::size_t>(most) + 1024);
    ASSERT_FALSE(refused);
    if (!first->alive()) first = open();
    EXPECT_EQ(put(10), 1) << first->last_error().message;
    EXPECT_EQ(number(*first, "SELECT COUNT(*) FROM large"), 2);
}

TEST_F(TroubleTest, SeesWhatOthersCommittedInsideItsTransaction) {
    ASSERT_TRUE(first->begin());
    EXPECT_EQ(number(*first, "SELECT v FROM t WHERE id = 1"), 0);
    ASSERT_EQ(set(*second, 1, 7), 1);
    EXPECT_EQ(number(*first, "SELECT v FROM t WHERE id = 1"), 7);
}

}  // namespace
}  // namespace sluice::store
