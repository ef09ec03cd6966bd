#include "consumer/effects/effect_set/effect_set.hpp"

#include "common/error.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::effects {
namespace {

using store::class_of;
using store::ErrorClass;

/// Effects on two small tables: wallet (customer, balance) and entry (event, customer, amount).
/// The texts of what a connection ran.
struct RanTexts : store::StatementObserver {
    void ran(const store::RanStatement& statement) override { texts.emplace_back(statement.text); }
    std::vector<std::string> texts;
};

class EffectsTest : public store::ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open();
        run(*connection,
            "CREATE TABLE wallet (customer VARBINARY(64) PRIMARY KEY, balance BIGINT NOT NULL,"
            " CHECK (balance > -1000))");
        run(*connection,
            "CREATE TABLE entry (event VARBINARY(255) PRIMARY KEY, customer VARCHAR(8) NOT NULL,"
            " amount BIGINT NOT NULL, at DATETIME(6) NULL, live TINYINT NOT NULL)");
        run(*connection, "INSERT INTO wallet VALUES ('cus_1', 100)");
        headers.event_id = "evt_1";
        headers.type = "a";
        headers.received_at = WallTime{std::chrono::seconds{1'795'287'802}};
    }

    void TearDown() override {
        connection.reset();
        ServerTest::TearDown();
    }

    void configure(const std::string& effects) {
        auto reading = read_with("effects:\n" + effects,
                                 [](const config::Document& document, config::Problems& problems) {
                                     return EffectSet::read(document, sources(), problems);
                                 });
        ASSERT_EQ(reading.report, "");
        set.emplace(std::move(reading.value));
    }

    /// In a transaction of its own: committed when done or ignored.
    Verdict apply(const std::string& body) {
        EXPECT_TRUE(view.read(body));
        EXPECT_TRUE(connection->begin());
        auto verdict = set->run(set->matching(headers), {headers, view}, *connection);
        const bool is_good = verdict.outcome == Outcome::done || verdict.outcome == Outcome::ignore;
        EXPECT_TRUE(is_good ? connection->commit() : connection->rollback());
        return verdict;
    }

    std::int64_t balance() {
        return number(*connection, "SELECT balance FROM wallet WHERE customer = 'cus_1'");
    }
    std::int64_t entries() { return number(*connection, "SELECT COUNT(*) FROM entry"); }

    std::unique_ptr<store::Connection> connection;
    std::optional<EffectSet> set;
    record::EventHeaders headers;
    webhook::JsonView view;
};

constexpr auto credit =
    "  - name: credit\n"
    "    when: {type: a}\n"
    "    let:\n"
    "      customer: /customer\n"
    "      amount: {pointer: /amount, as: int64}\n"
    "    sql:\n"
    "      - run: UPDATE wallet SET balance = balance + :amount WHERE customer = :customer\n"
    "        rows: {1: done, 0: defer}\n"
    "      - run: INSERT INTO entry (event, customer, amount, at, live) VALUES (:event_id, :customer, "
    ":amount, :received_at, :livemode)\n";

TEST_F(EffectsTest, RunTheirStatementsInOrder) {
    configure(credit);
    const auto verdict = apply(R"({"customer": "cus_1", "amount": 25})");
    EXPECT_EQ(verdict.outcome, Outcome::done) << verdict.reason;
    EXPECT_EQ(verdict.effect, "");
    EXPECT_EQ(balance(), 125);
    const auto rows = connection->query("SELECT event, customer, amount, at, live FROM entry", {});
    EXPECT_EQ(rows->at(0),
              (store::Row{"evt_1", "cus_1", std::int64_t{25}, headers.received_at, std::int64_t{0}}));
}

TEST_F(EffectsTest, StopAtTheFirstOutcomeThatIsNotDone) {
    configure(credit);
    const auto verdict = apply(R"({"customer": "cus_2", "amount": 25})");
    EXPECT_EQ(verdict.outcome, Outcome::defer);
    EXPECT_EQ(verdict.effect, "credit");
    EXPECT_FALSE(verdict.error);
    EXPECT_EQ(entries(), 0);
}

TEST_F(EffectsTest, CountARowThatDoesNotChange) {
    configure(credit);
    EXPECT_EQ(apply(R"({"customer": "cus_1", "amount": 0})").outcome, Outcome::done);
}

TEST_F(EffectsTest, BindTextThatLooksLikeSql) {
    configure(credit);
    const auto verdict = apply(R"({"customer": "' OR 1=1", "amount": 25})");
    EXPECT_EQ(verdict.outcome, Outcome::defer);
    EXPECT_EQ(balance(), 100);
}

TEST_F(EffectsTest, ParkACountThatIsNotListed) {
    configure("  - name: all\n    when: {type: a}\n    sql: [{run: UPDATE wallet SET balance = 0}]\n");
    run(*connection, "INSERT INTO wallet VALUES ('cus_2', 100)");
    const auto verdict = apply("{}");
    EXPECT_EQ(verdict.outcome, Outcome::park);
    EXPECT_EQ(verdict.error, errc::unlisted_row_count);
    EXPECT_TRUE(verdict.reason.contains("matched 2 rows")) << verdict.reason;
    EXPECT_EQ(balance(), 100);
}

TEST_F(EffectsTest, ParkABodyThatLacksAParameterAndNameIt) {
    configure(credit);
    const auto verdict = apply(R"({"customer": "cus_1"})");
    EXPECT_EQ(verdict.outcome, Outcome::park);
    EXPECT_EQ(verdict.error, errc::missing_pointer);
    EXPECT_EQ(verdict.effect, "credit");
    EXPECT_TRUE(verdict.reason.contains(":amount (/amount)")) << verdict.reason;
}

TEST_F(EffectsTest, ParkWhatTheDatabaseCanNeverTake) {
    configure(credit);
    run(*connection, "INSERT INTO wallet VALUES ('cus_123456789', 1)");
    EXPECT_EQ(apply(R"({"customer": "cus_123456789", "amount": 1})").error.value(), 1406);
    EXPECT_EQ(apply(R"({"customer": "cus_1", "amount": 9223372036854775807})").error.value(), 1690);
    const auto verdict = apply(R"({"customer": "cus_1", "amount": -5000})");
    EXPECT_EQ(verdict.outcome, Outcome::park) << "a CHECK refuses";
    EXPECT_EQ(class_of(verdict.error), ErrorClass::data);
    EXPECT_EQ(balance(), 100);
}

TEST_F(EffectsTest, ParkADuplicateOfTheirOwnTables) {
    configure(credit);
    EXPECT_EQ(apply(R"({"customer": "cus_1", "amount": 1})").outcome, Outcome::done);
    const auto verdict = apply(R"({"customer": "cus_1", "amount": 1})");
    EXPECT_EQ(verdict.outcome, Outcome::park);
    EXPECT_EQ(class_of(verdict.error), ErrorClass::duplicate);
    EXPECT_EQ(balance(), 101);
}

TEST_F(EffectsTest, RetryWhatIsNobodysFault) {
    configure(credit);
    const auto other = open();
    ASSERT_TRUE(other->begin());
    ASSERT_TRUE(other->run("UPDATE wallet SET balance = balance + 1"));
    ASSERT_TRUE(connection->set_lock_wait(std::chrono::seconds{1}));
    const auto locked = apply(R"({"customer": "cus_1", "amount": 1})");
    EXPECT_EQ(locked.outcome, Outcome::retry);
    EXPECT_EQ(class_of(locked.error), ErrorClass::lost_lock);
    ASSERT_TRUE(other->rollback());

    run(*connection, "DROP TABLE entry");
    const auto missing = apply(R"({"customer": "cus_1", "amount": 1})");
    EXPECT_EQ(missing.outcome, Outcome::retry);
    EXPECT_EQ(class_of(missing.error), ErrorClass::schema);
    EXPECT_EQ(balance(), 100);
}

TEST_F(EffectsTest, SubtractRunningTotals) {
    configure(
        "  - name: refund\n    when: {type: a}\n"
        "    let: {amount: {pointer: /total, as: int64, minus: /before}}\n"
        "    sql: [{run: UPDATE wallet SET balance = balance - :amount}]\n");
    EXPECT_EQ(apply(R"({"total": 30, "before": 0})").outcome, Outcome::done);
    EXPECT_EQ(apply(R"({"total": 60, "before": 30})").outcome, Outcome::done);
    EXPECT_EQ(balance(), 40);
}

TEST_F(EffectsTest, BindNullForWhatMayBeMissing) {
    configure(
        "  - name: e\n    when: {type: a}\n    let: {at: {pointer: /at, as: time, optional: true}}\n"
        "    sql: [{run: \"INSERT INTO entry (event, customer, amount, at, live) VALUES (:event_id, '', 0, "
        ":at, 1)\"}]\n");
    EXPECT_EQ(apply("{}").outcome, Outcome::done);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM entry WHERE at IS NULL"), 1);
}

TEST_F(EffectsTest, AllRunAndTheFirstRefusalDecides) {
    const std::string first =
        "  - name: one\n    when: {type: a}\n    sql: [{run: UPDATE wallet SET balance = 1}]\n";
    configure(first +
              "  - name: two\n    when: {type: a}\n    sql: [{run: DELETE FROM entry, rows: {0: retry}}]\n"
              "  - name: three\n    when: {type: a}\n    sql: [{run: DELETE FROM entry, rows: {0: park}}]\n");
    const auto verdict = apply("{}");
    EXPECT_EQ(verdict.outcome, Outcome::retry);
    EXPECT_EQ(verdict.effect, "two");
    EXPECT_FALSE(verdict.error);
    EXPECT_EQ(balance(), 100);
}

TEST_F(EffectsTest, AreIgnoredWhenAllAre) {
    const std::string ignores =
        "    when: {type: a}\n    sql: [{run: DELETE FROM entry, rows: {0: ignore}}]\n";
    configure("  - name: one\n" + ignores + "  - name: two\n" + ignores);
    EXPECT_EQ(apply("{}").outcome, Outcome::ignore);
    configure("  - name: one\n" + ignores +
              "  - name: two\n    when: {type: a}\n    sql: [{run: UPDATE wallet SET balance = 1}]\n");
    EXPECT_EQ(apply("{}").outcome, Outcome::done);
}

TEST_F(EffectsTest, PassTheCheckWhenTheServerTakesThem) {
    configure(credit);
    config::Problems problems;
    const auto missing = set->check(*connection, problems);
    ASSERT_TRUE(missing);
    EXPECT_TRUE(missing->empty());
    EXPECT_EQ(problems.report(), "");
    EXPECT_EQ(balance(), 100);
}

TEST_F(EffectsTest, WaitForATableOrColumnThatMayCome) {
    configure(
        "  - name: e\n    when: {type: a}\n    sql:\n      - run: DELETE FROM not_there\n"
        "      - run: UPDATE wallet SET colour = 1\n");
    config::Problems problems;
    const auto missing = set->check(*connection, problems);
    ASSERT_TRUE(missing);
    ASSERT_EQ(missing->size(), 2U);
    EXPECT_TRUE(missing->at(0).sentence.starts_with("test.yaml:5: effect 'e'")) << missing->at(0).sentence;
    EXPECT_TRUE(missing->at(0).sentence.contains("not_there")) << missing->at(0).sentence;
    EXPECT_TRUE(missing->at(1).sentence.starts_with("test.yaml:6: effect 'e'")) << missing->at(1).sentence;
    EXPECT_TRUE(missing->at(1).sentence.contains("UPDATE wallet SET colour")) << missing->at(1).sentence;
    EXPECT_EQ(problems.report(), "");
}

TEST_F(EffectsTest, RefuseSqlThatNoServerTakes) {
    configure(
        "  - name: e\n    when: {type: a}\n    sql:\n      - run: UPDATE wallet SET\n"
        "      - run: INSERT INTO wallet VALUES (1)\n");
    config::Problems problems;
    const auto missing = set->check(*connection, problems);
    ASSERT_TRUE(missing);
    EXPECT_TRUE(missing->empty());
    ASSERT_EQ(problems.errors().size(), 2U) << problems.report();
    EXPECT_TRUE(problems.errors()[0].contains("test.yaml:5")) << problems.errors()[0];
    EXPECT_TRUE(problems.errors()[1].contains("test.yaml:6")) << problems.errors()[1];
}

TEST_F(EffectsTest, AddUpToTheFloorAndNotBelow) {
    configure(
        "  - name: e\n    when: {type: a}\n    let: {amount: {pointer: /amount, as: int64}}\n"
        "    add: {table: wallet, key: {customer: cus_1}, column: balance, by: \"-:amount\", floor: 40, "
        "below: defer}\n");
    EXPECT_EQ(apply(R"({"amount": 60})").outcome, Outcome::done);
    const auto verdict = apply(R"({"amount": 1})");
    EXPECT_EQ(verdict.outcome, Outcome::defer);
    EXPECT_TRUE(verdict.reason.contains("add wallet: the sum would be below the floor")) << verdict.reason;
    EXPECT_EQ(balance(), 40);
}

std::string with_duplicate(const std::string& outcome) {
    return "  - name: e\n    when: {type: a}\n"
           "    insert: {table: wallet, row: {customer: cus_1, balance: 7}, duplicate: " +
           outcome + "}\n    add: {table: wallet, key: {customer: cus_1}, column: balance, by: 5}\n";
}

TEST_F(EffectsTest, GoOnAfterADuplicateThatIsDone) {
    configure(with_duplicate("done"));
    EXPECT_EQ(apply("{}").outcome, Outcome::done);
    EXPECT_EQ(balance(), 105) << "the transaction outlived the duplicate";
}

TEST_F(EffectsTest, EndWithWhatIsIgnored) {
    configure(with_duplicate("ignore"));
    EXPECT_EQ(apply("{}").outcome, Outcome::ignore);
    EXPECT_EQ(balance(), 100) << "what is there already is not done again";
    configure(
        "  - name: e\n    when: {type: a}\n    sql:\n"
        "      - {run: UPDATE wallet SET balance = 1}\n"
        "      - {run: DELETE FROM entry, rows: {0: ignore}}\n"
        "      - {run: UPDATE wallet SET balance = 2}\n"
        "  - name: other\n    when: {type: a}\n    sql:\n"
        "      - run: INSERT INTO entry VALUES ('e', 'c', 1, NULL, 0)\n");
    EXPECT_EQ(apply("{}").outcome, Outcome::done) << "what came before is made";
    EXPECT_EQ(balance(), 1);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM entry"), 1) << "other effects go on";
}

TEST_F(EffectsTest, TakeNoTextForTheNumberItBeginsWith) {
    run(*connection, "CREATE TABLE points (no INT PRIMARY KEY, sum BIGINT NOT NULL)");
    run(*connection, "INSERT INTO points VALUES (7, 0)");
    configure(
        "  - name: e\n    when: {type: a}\n    let: {no: /no}\n"
        "    add: {table: points, key: {no: \":no\"}, column: sum, by: 1, missing: defer}\n");
    EXPECT_EQ(apply(R"({"no": "7 apples"})").error, errc::wrong_type);
    EXPECT_EQ(apply(R"({"no": "8"})").outcome, Outcome::defer);
    EXPECT_EQ(apply(R"({"no": "007"})").outcome, Outcome::done);
    EXPECT_EQ(number(*connection, "SELECT sum FROM points"), 1);
}

TEST_F(EffectsTest, SetTheRowThatIsMeantAndNoOther) {
    run(*connection, "CREATE TABLE points (no BIGINT PRIMARY KEY, state VARCHAR(8) NOT NULL)");
    run(*connection,
        "INSERT INTO points VALUES (7, 'new'), (9007199254740992, 'new'), (9007199254740993, 'new')");
    configure(
        "  - name: e\n    when: {type: a}\n    let: {no: /no}\n"
        "    set: {table: points, key: {no: \":no\"}, row: {state: paid}, when: {state: new}, otherwise: "
        "ignore, "
        "missing: defer}\n");
    EXPECT_EQ(apply(R"({"no": "7 apples"})").error, errc::wrong_type);
    EXPECT_EQ(apply(R"({"no": "7e0"})").error, errc::wrong_type);
    EXPECT_EQ(apply(R"({"no": "8 apples"})").outcome, Outcome::defer);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM points WHERE state = 'paid'"), 0);
    EXPECT_EQ(apply(R"({"no": "007"})").outcome, Outcome::done);
    EXPECT_EQ(apply(R"({"no": "7"})").outcome, Outcome::ignore);
    EXPECT_EQ(apply(R"({"no": "9007199254740993"})").outcome, Outcome::done);
    EXPECT_EQ(number(*connection, "SELECT no FROM points WHERE state = 'paid' AND no <> 7"),
              9007199254740993);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM points WHERE state = 'paid'"), 2);
}

TEST_F(EffectsTest, SetARowOfTextOrNumbersWithoutALook) {
    run(*connection,
        "CREATE TABLE state (name VARCHAR(8) COLLATE utf8mb4_general_ci, no BIGINT, state VARCHAR(8) NOT "
        "NULL, PRIMARY KEY (name, no))");
    run(*connection, "INSERT INTO state VALUES ('Abc', 7, 'new'), ('abd', 7, 'new')");
    configure(
        "  - name: e\n    when: {type: a}\n    let: {name: /name, no: {pointer: /no, as: int64}}\n"
        "    set: {table: state, key: {name: \":name\", no: \":no\"}, row: {state: paid}, when: {state: "
        "new}, "
        "otherwise: ignore, missing: defer}\n");
    RanTexts seen;
    connection->be_observed(&seen);
    EXPECT_EQ(apply(R"({"name": "aBC", "no": 7})").outcome, Outcome::done);
    EXPECT_EQ(seen.texts.size(), 1U) << seen.texts.back();
    EXPECT_EQ(apply(R"({"name": "aBC", "no": 7})").outcome, Outcome::ignore);
    EXPECT_EQ(apply(R"({"name": "aBC", "no": 8})").outcome, Outcome::defer);
    connection->be_observed(nullptr);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM state WHERE state = 'paid'"), 1);
}

TEST_F(EffectsTest, RefuseATableThatASetBasedKindCannotUse) {
    run(*connection,
        "CREATE TABLE loose (customer VARCHAR(8) NOT NULL, sum DOUBLE NOT NULL, INDEX (customer))");
    configure(
        "  - name: e\n    when: {type: a}\n    let: {customer: /c}\n"
        "    add: {table: loose, key: {customer: \":customer\"}, column: sum, by: 1}\n"
        "    insert: {table: entry, row: {event: \":event_id\", at: \":livemode\"}}\n");
    config::Problems problems;
    const auto missing = set->check(*connection, problems);
    ASSERT_TRUE(missing);
    EXPECT_TRUE(missing->empty());
    const auto report = problems.report();
    EXPECT_TRUE(report.contains(
        "test.yaml:5: effect 'e': add into loose: no unique index consists only of columns of the key"))
        << report;
    EXPECT_TRUE(report.contains("sum (double) cannot add up amounts exactly")) << report;
    EXPECT_TRUE(report.contains("test.yaml:6: effect 'e': insert into entry: the column amount (bigint"))
        << report;
    EXPECT_TRUE(report.contains("at (datetime(6)) does not take a boolean")) << report;
}

TEST_F(EffectsTest, WaitForATableOfASetBasedKind) {
    configure("  - name: e\n    when: {type: a}\n    insert: {table: not_there, row: {a: b}}\n");
    config::Problems problems;
    const auto missing = set->check(*connection, problems);
    ASSERT_TRUE(missing);
    ASSERT_EQ(missing->size(), 1U);
    EXPECT_TRUE(missing->front().sentence.starts_with("test.yaml:4: effect 'e'"))
        << missing->front().sentence;
    EXPECT_EQ(problems.report(), "");
}

TEST_F(EffectsTest, FailTheCheckWithoutAConnection) {
    configure(credit);
    run(*open(), "KILL " + std::to_string(number(*connection, "SELECT CONNECTION_ID()")));
    config::Problems problems;
    const auto missing = set->check(*connection, problems);
    ASSERT_FALSE(missing);
    EXPECT_EQ(class_of(missing.error()), ErrorClass::connection);
    EXPECT_EQ(problems.report(), "");
}

}  // namespace
}  // namespace sluice::effects
