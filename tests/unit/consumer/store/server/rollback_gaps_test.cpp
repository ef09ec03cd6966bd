#include "consumer/store/schema/rollback_gaps.hpp"

#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::store {
namespace {

class RollbackGaps : public ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open();
        run(*connection, "CREATE TABLE wallet (customer VARBINARY(64) PRIMARY KEY, balance BIGINT NOT NULL)");
        run(*connection, "CREATE TABLE entry (customer VARBINARY(64) PRIMARY KEY) ENGINE = MyISAM");
        run(*connection, "CREATE TABLE rate (customer VARBINARY(64) PRIMARY KEY) ENGINE = MyISAM");
    }
    void TearDown() override {
        connection.reset();
        ServerTest::TearDown();
    }

    std::string gap(std::string_view tables) {
        auto found = rollback_gap(*connection, tables);
        EXPECT_TRUE(found) << connection->last_error().message;
        return found.value_or("");
    }

    /// What the check at start says of effects of this text.
    std::string refusal(const std::string& effects) {
        const auto reading = effects::read_with(
            "effects:\n" + effects, [](const config::Document& document, config::Problems& problems) {
                return effects::EffectSet::read(document, effects::sources(), problems);
            });
        EXPECT_EQ(reading.report, "");
        config::Problems problems;
        EXPECT_TRUE(reading.value.check(*connection, problems));
        return problems.any() ? problems.report() : "";
    }

    std::unique_ptr<Connection> connection;
};

TEST_F(RollbackGaps, AreTablesOfAnEngineWithoutTransactions) {
    EXPECT_EQ(gap("wallet"), "");
    EXPECT_EQ(gap("`wallet` w"), "");
    EXPECT_EQ(gap("nothing_of_that_name"), "");
    EXPECT_TRUE(gap("entry").contains("table entry has the engine MyISAM"));
    EXPECT_TRUE(gap("wallet w JOIN `entry` e ON w.customer = e.customer").contains("table entry"));
}

TEST_F(RollbackGaps, AreTablesThatATriggerNames) {
    run(*connection,
        "CREATE TRIGGER notes AFTER UPDATE ON wallet FOR EACH ROW INSERT INTO entry VALUES (NEW.customer)");
    EXPECT_TRUE(gap("wallet").contains("table entry has the engine MyISAM"));
}

TEST_F(RollbackGaps, AreRefusedAtStartInEveryKindOfEffect) {
    const std::string heading = "  - name: credit\n    when: {type: a}\n    let: {customer: /customer}\n";
    const std::string sql = heading + "    sql:\n      - run: ";
    EXPECT_TRUE(refusal(sql + "INSERT INTO entry (customer) VALUES (:customer)\n").contains("MyISAM"));
    const std::string credit = sql + "UPDATE wallet SET balance = balance + 1 WHERE customer = :customer\n";
    const std::string set =
        heading + "    set: {table: wallet, key: {customer: \":customer\"}, row: {balance: 1}}\n";
    EXPECT_EQ(refusal(credit), "");
    EXPECT_EQ(refusal(set), "");
    const std::string read = sql +
                             "UPDATE wallet SET balance = 1 WHERE customer = :customer AND customer IN "
                             "(SELECT customer FROM rate)\n";
    EXPECT_EQ(refusal(read), "") << "it is only read";
    run(*connection,
        "CREATE TRIGGER notes AFTER UPDATE ON wallet FOR EACH ROW INSERT INTO entry VALUES (NEW.customer)");
    EXPECT_TRUE(refusal(credit).contains("table entry has the engine MyISAM"));
    EXPECT_TRUE(refusal(set).contains("table entry has the engine MyISAM"));
}

}  // namespace
}  // namespace sluice::store
