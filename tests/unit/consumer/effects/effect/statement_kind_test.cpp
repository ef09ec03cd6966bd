#include "consumer/effects/effect/statement_kind.hpp"

#include <gtest/gtest.h>

namespace sluice::effects {
namespace {

bool is_refused(std::string_view statement) {
    return !single_change(statement);
}

TEST(StatementKind, TakesTheFourChanges) {
    for (const auto* statement :
         {"INSERT INTO t VALUES (1)", "update t SET a = 1", "Delete FROM t", "REPLACE INTO t VALUES (1)",
          "\n  /* why */ INSERT INTO t SELECT 1", "-- why\nUPDATE t SET a = (SELECT 1)"}) {
        EXPECT_FALSE(is_refused(statement)) << statement;
    }
}

TEST(StatementKind, TakesAWithBeforeUpdateAndDelete) {
    EXPECT_FALSE(is_refused("WITH a AS (SELECT 1) UPDATE t SET a = 1"));
    EXPECT_FALSE(is_refused("WITH RECURSIVE a AS (SELECT 1), b AS (SELECT 2) DELETE FROM t"));
    EXPECT_TRUE(is_refused("WITH a AS (UPDATE t SET a = 1) SELECT 1"));
}

TEST(StatementKind, RefusesWhatCommitsByItselfOrChangesNothing) {
    for (const auto* statement : {"SELECT 1",
                                  "CREATE TABLE t (a INT)",
                                  "DROP TABLE t",
                                  "TRUNCATE t",
                                  "ALTER TABLE t ADD a INT",
                                  "COMMIT",
                                  "ROLLBACK",
                                  "START TRANSACTION",
                                  "SET autocommit = 1",
                                  "CALL p()",
                                  "LOCK TABLES t WRITE",
                                  "RENAME TABLE a TO b",
                                  "LOAD DATA INFILE 'x' INTO TABLE t",
                                  "DO SLEEP(1)",
                                  "GRANT ALL ON *.* TO a",
                                  "BEGIN",
                                  "XA END 'a'",
                                  "PREPARE s FROM 'x'",
                                  "(UPDATE t SET a = 1)",
                                  "UPDATED",
                                  "'UPDATE'"}) {
        EXPECT_TRUE(is_refused(statement)) << statement;
    }
}

TEST(StatementKind, RefusesTwoStatements) {
    EXPECT_TRUE(is_refused("UPDATE t SET a = 1; COMMIT"));
    EXPECT_TRUE(is_refused("UPDATE t SET a = 1;;DELETE FROM t"));
}

TEST(StatementKind, TakesASemicolonAtTheEndAndInText) {
    EXPECT_EQ(single_change("UPDATE t SET a = 1; -- done\n"), "UPDATE t SET a = 1");
    EXPECT_EQ(single_change("UPDATE t SET a = ';'"), "UPDATE t SET a = ';'");
}

TEST(StatementKind, RefusesNothingAtAll) {
    for (const auto* statement : {"", " ", ";", "-- only words", "/* only words */"}) {
        EXPECT_TRUE(is_refused(statement)) << statement;
    }
}

TEST(StatementKind, RefusesAChangeThatHidesInARunComment) {
    EXPECT_TRUE(is_refused("/*! UPDATE t SET a = 1 */"));
}

TEST(StatementKind, NamesTheTableThatIsChanged) {
    EXPECT_EQ(changed_table("UPDATE wallet SET balance = balance + ? WHERE customer = ?"), "wallet");
    EXPECT_EQ(changed_table("update low_priority `my wallet` set a = (select b from other)"), "`my wallet`");
    EXPECT_EQ(changed_table("INSERT INTO wallet_entry(event, amount) VALUES (?, ?)"), "wallet_entry");
    EXPECT_EQ(changed_table("INSERT IGNORE books.entry SELECT * FROM other"), "books.entry");
    EXPECT_EQ(changed_table("/* why */ REPLACE INTO t -- that\n VALUES (?)"), "t");
    EXPECT_EQ(changed_table("DELETE FROM t WHERE a = 'UPDATE'"), "t");
    EXPECT_EQ(changed_table("WITH w AS (SELECT 1) UPDATE a JOIN b USING (id) SET a.x = b.x"),
              "a JOIN b USING");
    EXPECT_EQ(changed_table("DELETE FROM t"), "t");
    EXPECT_EQ(changed_table(""), "");
}

std::string counts(std::string_view statement) {
    const auto possible = possible_counts(statement);
    return std::to_string(possible.least) + (possible.most ? ".." + std::to_string(*possible.most) : "..");
}

TEST(PossibleCounts, AreOfTheRowsThatAnInsertWrites) {
    EXPECT_EQ(counts("INSERT INTO t VALUES (?, (1 + 2), f(3))"), "1..1");
    EXPECT_EQ(counts("insert into t (a, b) values (1, '), ('), (2, 3)"), "2..2");
    EXPECT_EQ(counts("INSERT INTO t (a) VALUES (1) /* , (2) */"), "1..1");
    EXPECT_EQ(counts("INSERT INTO t VALUES ROW(1), ROW(2)"), "2..2");
    EXPECT_EQ(counts("INSERT t SET a = (1)"), "1..1");
    EXPECT_EQ(counts("INSERT INTO t VALUES (1) RETURNING f(a)"), "1..1");
    EXPECT_EQ(counts("INSERT IGNORE INTO t VALUES (1)"), "0..1");
    EXPECT_EQ(counts("INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a), b = (2)"), "1..2");
    EXPECT_EQ(counts("INSERT INTO t VALUES (1), (2) AS new(x) ON DUPLICATE KEY UPDATE a = new.x"), "2..4");
    EXPECT_EQ(counts("INSERT IGNORE INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1"), "0..2");
    EXPECT_EQ(counts("REPLACE INTO t VALUES (1)"), "1..");
    EXPECT_EQ(counts("INSERT INTO value (a, b) VALUES (1, 2)"), "1..1") << "a table may be called so";
    EXPECT_EQ(counts("INSERT INTO app.value VALUES (1), (2)"), "2..2");
}

TEST(PossibleCounts, AreAnyWhereTheTextDoesNotTell) {
    for (const auto* statement :
         {"UPDATE t SET a = 1", "DELETE FROM t", "INSERT INTO t SELECT 1",
          "INSERT INTO t (a) SELECT 1 FROM u", "INSERT INTO t TABLE u", "REPLACE INTO t SELECT 1",
          "WITH c AS (SELECT 1) UPDATE t SET a = 1", "INSERT INTO t WITH c AS (SELECT 1) SELECT * FROM c",
          "INSERT INTO t (SELECT 1)"})
        EXPECT_EQ(counts(statement), "0..") << statement;
}

}  // namespace
}  // namespace sluice::effects
