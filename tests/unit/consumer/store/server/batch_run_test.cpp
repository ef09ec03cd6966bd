#include "consumer/effects/batch/batch_run.hpp"

#include <format>
#include <optional>
#include <vector>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::effects {
namespace {

constexpr auto batch_effects = R"(effects:
  - name: credit
    when: {type: [credit, welcome]}
    let: {customer: /customer, amount: {pointer: /amount, as: int64}}
    add: {table: wallet, key: {customer: ":customer"}, column: balance, by: ":amount", floor: 0, below: park, missing: defer}
  - name: spend
    when: {type: spend}
    let: {customer: /customer, amount: {pointer: /amount, as: int64}}
    add: {table: tokens, key: {customer: ":customer"}, column: money, by: ":amount"}
  - name: open
    when: {type: [open, welcome]}
    let: {friend: /friend}
    insert: {table: wallet, row: {customer: ":friend"}}
  - name: pay
    when: {type: pay}
    let: {customer: /customer}
    set: {table: wallet, key: {customer: ":customer"}, row: {status: paid}, when: {status: [new]}, otherwise: park}
  - name: ship
    when: {type: ship}
    let: {customer: /customer}
    set: {table: wallet, key: {customer: ":customer"}, row: {status: shipped}, when: {status: [paid]}, otherwise: ignore}
    insert: {table: receipt, row: {ref: ":customer"}}
  - name: refund
    when: {type: refund}
    let: {customer: /customer, ref: /ref}
    insert: {table: reminder, row: {ref: ":ref"}, duplicate: ignore}
    add: {table: wallet, key: {customer: ":customer"}, column: balance, by: 7, missing: park}
  - name: reset
    when: {type: reset}
    let: {customer: /customer}
    set: {table: wallet, key: {customer: ":customer"}, row: {balance: 1}}
  - name: book
    when: {type: book}
    let: {ref: /ref}
    insert: {table: entry, row: {ref: ":ref"}}
  - name: bill
    when: {type: bill}
    let: {ref: /ref}
    insert: {table: receipt, row: {ref: ":ref"}}
  - name: remind
    when: {type: remind}
    let: {ref: /ref}
    insert: {table: reminder, row: {ref: ":ref"}, duplicate: ignore}
  - name: file
    when: {type: paper, body: {/mode: live}}
    let: {ref: /ref, seal: {pointer: /seal, as: hex}, text: {pointer: /text, as: json}, sum: {pointer: /sum, as: decimal, scale: 2}}
    insert: {table: paper, row: {ref: ":ref", seal: ":seal", text: ":text", sum: ":sum"}}
  - name: double
    when: {type: double}
    sql: [{run: UPDATE wallet SET balance = balance * 2, rows: {other: done}}]
)";

struct BatchedEvent {
    std::string type;
    std::string body;
};

BatchedEvent credit_of(const std::string& customer, int amount) {
    return {"credit", std::format(R"({{"customer": "{}", "amount": {}}})", customer, amount)};
}
BatchedEvent spending(const std::string& customer, int amount) {
    return {"spend", credit_of(customer, amount).body};
}
BatchedEvent with_customer(const std::string& type, const std::string& customer) {
    return {type, std::format(R"({{"customer": "{}"}})", customer)};
}
BatchedEvent with_ref(const std::string& type, const std::string& ref) {
    return {type, std::format(R"({{"ref": "{}"}})", ref)};
}

BatchedEvent paper(const std::string& ref, const std::string& mode, const std::string& seal) {
    return {"paper",
            std::format(R"({{"ref": "{0}", "mode": "{1}", "seal": "{2}", "text": [ "{0}" ], "sum": "888"}})",
                        ref, mode, seal)};
}

/// Small batches in which it matters which event came first, over wallets whose customers differ by case only
/// in spelling.
class BatchRunTest : public store::ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open();
        run(*connection,
            "CREATE TABLE wallet (customer VARCHAR(16) COLLATE utf8mb4_general_ci PRIMARY KEY,"
            " balance BIGINT NOT NULL DEFAULT 0, status VARCHAR(8) NOT NULL DEFAULT 'new')");
        for (const auto* table : {"entry", "receipt", "reminder"}) {
            run(*connection, std::format("CREATE TABLE {} (ref VARBINARY(16) PRIMARY KEY)", table));
            run(*connection, std::format("INSERT INTO {} VALUES ('old')", table));
        }
        run(*connection,
            "CREATE TABLE paper (ref VARBINARY(16) PRIMARY KEY, seal VARBINARY(64) NOT NULL, text "
            "VARCHAR(64) NOT "
            "NULL, sum VARCHAR(16) NOT NULL)");
        run(*connection, "INSERT INTO wallet (customer) VALUES ('ann'), ('bob')");
        run(*connection,
            "CREATE TABLE tokens (customer VARBINARY(16) PRIMARY KEY, money BIGINT NOT NULL CHECK (money >= "
            "0))");
        run(*connection, "INSERT INTO tokens VALUES ('ann', 0), ('bob', 0), ('cid', 0)");
        auto reading =
            read_with(batch_effects, [](const config::Document& document, config::Problems& problems) {
                return EffectSet::read(document, sources(), problems);
            });
        ASSERT_EQ(reading.report, "");
        set.emplace(std::move(reading.value));
        config::Problems problems;
        ASSERT_TRUE(set->check(*connection, problems));
        ASSERT_EQ(problems.report(), "");
        batch.emplace(*set);
    }

    void TearDown() override {
        connection.reset();
        ServerTest::TearDown();
    }

    /// In a transaction that is begun. `run`: Batch::run or Batch::run_each, of what it is given.
    template <class Run>
    auto begun_with(const std::vector<BatchedEvent>& events, Run run) {
        std::vector<record::EventHeaders> headers(events.size());
        std::vector<std::vector<const Effect*>> matching(events.size());
        std::vector<BatchEvent> all;
        for (std::size_t i = 0; i < events.size(); ++i) {
            headers[i].event_id = "evt_" + std::to_string(i);
            headers[i].type = events[i].type;
            matching[i] = set->matching(headers[i]);
            all.push_back({headers[i], matching[i]});
        }
        EXPECT_TRUE(connection->begin());
        const auto body_of = [&](std::size_t event) -> std::optional<EventBody> {
            EXPECT_TRUE(view.read(events[event].body));
            return EventBody{view};
        };
        return run(all, body_of);
    }

    /// In a transaction of its own, committed when nothing fails.
    std::optional<BatchFailure> apply(const std::vector<BatchedEvent>& events) {
        const auto run = begun_with(events, [this](const auto& all, const auto& body_of) {
            return batch->run(all, body_of, *connection, SteadyTime{});
        });
        EXPECT_TRUE(run ? connection->commit() : connection->rollback());
        return run ? std::nullopt : std::optional{run.error()};
    }

    /// What each came to; one that is not done is taken out.
    std::vector<Outcome> apply_each(const std::vector<BatchedEvent>& events) {
        const auto run = begun_with(events, [this](const auto& all, const auto& body_of) {
            return batch->run_each(all, body_of, *connection, SteadyTime{});
        });
        EXPECT_TRUE(run) << run.error().verdict.reason;
        EXPECT_TRUE(connection->commit());
        std::vector<Outcome> outcomes;
        for (const auto& verdict : run.value_or(std::vector<Verdict>{})) outcomes.push_back(verdict.outcome);
        return outcomes;
    }

    /// The first event that fails, and how; nothing of the batch is left.
    void expect_fails(const std::vector<BatchedEvent>& events, std::size_t culprit, Outcome outcome) {
        const auto before = number(*connection, "SELECT CAST(SUM(balance) AS SIGNED) FROM wallet");
        const auto failure = apply(events);
        ASSERT_TRUE(failure);
        EXPECT_EQ(failure->culprit, culprit);
        EXPECT_EQ(failure->verdict.outcome, outcome) << failure->verdict.reason;
        EXPECT_EQ(number(*connection, "SELECT CAST(SUM(balance) AS SIGNED) FROM wallet"), before);
    }

    std::int64_t balance_of(const std::string& customer) {
        return number(*connection, "SELECT balance FROM wallet WHERE customer = '" + customer + "'");
    }

    std::int64_t money_of(const std::string& customer) {
        return number(*connection, "SELECT money FROM tokens WHERE customer = '" + customer + "'");
    }

    /// Prepared statements that this session has run.
    int executions() {
        const auto rows = connection->query("SHOW SESSION STATUS LIKE 'Com_stmt_execute'", {});
        return std::stoi(std::get<std::string>(rows->at(0).at(1)));
    }

    std::unique_ptr<store::Connection> connection;
    std::optional<EffectSet> set;
    std::optional<BatchRun> batch;
    webhook::JsonView view;
};

TEST_F(BatchRunTest, HoldsTheFloorForEachEventAndNotForTheirSum) {
    expect_fails({credit_of("ann", -5), credit_of("ann", 10)}, 0, Outcome::park);
    EXPECT_FALSE(apply({credit_of("ann", 10), credit_of("ann", -5)}));
    EXPECT_EQ(balance_of("ann"), 5);
}

TEST_F(BatchRunTest, KeepsWhatWasMadeOfABodyUntilTheBatchIsWritten) {
    EXPECT_FALSE(apply({paper("old", "live", "")})) << "the tables are known from now on";
    std::vector<BatchedEvent> events;
    for (int i = 10; i < 30; i += 2)
        events.push_back(
            paper(std::to_string(i), "live", std::string(static_cast<std::size_t>(i), 'a') + "00ff"));
    const int before = executions();
    EXPECT_FALSE(apply(events));
    EXPECT_LT(executions(), before + 6) << "many rows in one statement";
    EXPECT_EQ(number(*connection,
                     "SELECT COUNT(*) FROM paper WHERE seal = UNHEX(CONCAT(REPEAT('a', ref), '00ff')) AND"
                     " text = CONCAT('[\"', ref, '\"]') AND sum = '8.88'"),
              10);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM paper"), 11);
}

TEST_F(BatchRunTest, LooksAtTheBodyOfEachEvent) {
    EXPECT_FALSE(
        apply({paper("one", "live", "00"), paper("two", "test", "no hex"), paper("six", "live", "01")}));
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM paper WHERE ref IN ('one', 'six')"), 2);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM paper"), 2)
        << "the body of another is not for the effect";
    const BatchedEvent twice{"paper", R"({"ref": "ten", "mode": "test", "mode": "test"})"};
    expect_fails({paper("ten", "live", "02"), twice}, 1, Outcome::park);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM paper"), 2);
}

TEST_F(BatchRunTest, HoldsABoundForEachAmountAndNotForTheirSum) {
    const auto failure = apply({spending("bob", 1), spending("ann", -5), spending("ann", 10)});
    ASSERT_TRUE(failure) << "ann's tokens was below zero for a moment";
    EXPECT_EQ(failure->culprit, 1U);
    EXPECT_EQ(money_of("bob"), 0);
    EXPECT_FALSE(apply({spending("ann", 10), spending("ann", -10), spending("bob", 1), spending("ann", 4)}));
    EXPECT_EQ(money_of("ann"), 4);
    EXPECT_EQ(money_of("bob"), 1);
}

TEST_F(BatchRunTest, ShowsAnotherCheckEachAmountAndNotTheirSum) {
    run(*connection, "ALTER TABLE tokens ADD CHECK (money <> 3)");
    const auto failure = apply({spending("bob", 1), spending("ann", 3), spending("ann", 10)});
    ASSERT_TRUE(failure) << "ann's tokens was three for a moment";
    EXPECT_FALSE(failure->culprit) << "the statement had several rows";
}

TEST_F(BatchRunTest, WritesAmountsUnderABoundAsOneSum) {
    EXPECT_FALSE(apply({spending("ann", 1)})) << "the tables are known from now on";
    const int before = executions();
    EXPECT_FALSE(apply({spending("ann", 1), spending("bob", 1), spending("ann", 1)}));
    EXPECT_EQ(executions() - before - 1, 2) << "a look at the rows, and what they come to";
}

TEST_F(BatchRunTest, WritesAmountsUnderAnotherCheckInTurns) {
    run(*connection, "ALTER TABLE tokens ADD CHECK (money <> 1000)");
    EXPECT_FALSE(apply({spending("ann", 1)})) << "the tables are known from now on";
    const int before = executions();
    EXPECT_FALSE(apply({spending("ann", 1), spending("bob", 1), spending("bob", 1), spending("ann", 1)}));
    EXPECT_EQ(executions() - before - 1, 3) << "a look at the rows, and two turns";
    EXPECT_EQ(money_of("ann"), 3);
}

TEST_F(BatchRunTest, KnowsARowUnderAllSpellingsOfItsKey) {
    EXPECT_FALSE(apply({credit_of("ann", 5), credit_of("ANN", -5)}));
    EXPECT_EQ(balance_of("ann"), 0);
    expect_fails({credit_of("ann", 5), credit_of("ANN", -5), credit_of("Ann", -1)}, 2, Outcome::park);
}

TEST_F(BatchRunTest, TakesAMissingRowForNoEmptyOne) {
    expect_fails({credit_of("ann", 1), credit_of("cid", 1)}, 1, Outcome::defer);
}

TEST_F(BatchRunTest, ShowsSqlWhatCameBeforeItAndWhatFollowsWhatItDid) {
    EXPECT_FALSE(apply({credit_of("ann", 3), {"double", "{}"}, credit_of("ann", -6), credit_of("bob", 1)}));
    EXPECT_EQ(balance_of("ann"), 0);
    EXPECT_EQ(balance_of("bob"), 1);
}

TEST_F(BatchRunTest, CountsAnEventOnceThatOnlyTheDatabaseCanDecide) {
    // The wallet that is opened is not among the locked rows: the event runs by itself, from its start.
    EXPECT_FALSE(apply({credit_of("ann", 1),
                        {"welcome", R"({"customer": "ann", "amount": 5, "friend": "cid"})"},
                        credit_of("cid", 2)}));
    EXPECT_EQ(balance_of("ann"), 6);
    EXPECT_EQ(balance_of("cid"), 2);
}

TEST_F(BatchRunTest, CreditsAWalletThatTheSameBatchOpens) {
    EXPECT_FALSE(apply({credit_of("ann", 1), {"open", R"({"friend": "cid"})"}, credit_of("cid", 2)}));
    EXPECT_EQ(balance_of("cid"), 2);
}

TEST_F(BatchRunTest, LooksAtAGuardAgainAfterTheRowWasSet) {
    expect_fails({with_customer("pay", "ann"), with_customer("pay", "ann")}, 1, Outcome::park);
    EXPECT_FALSE(apply({with_customer("pay", "ann"), with_customer("pay", "bob")}));
}

TEST_F(BatchRunTest, EndsAnEffectWithWhatItIgnores) {
    EXPECT_FALSE(apply({with_customer("pay", "ann")}));
    EXPECT_FALSE(apply({with_customer("ship", "bob"), with_customer("ship", "ann")}));
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM receipt WHERE ref = 'ann'"), 1);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM receipt WHERE ref = 'bob'"), 0) << "he has not paid";
}

TEST_F(BatchRunTest, AddsOnceWhatIsToldTwice) {
    const BatchedEvent refund{"refund", R"({"customer": "ann", "ref": "re_1"})"};
    const BatchedEvent other{"refund", R"({"customer": "ann", "ref": "re_2"})"};
    EXPECT_FALSE(apply({refund, other, refund}));
    EXPECT_FALSE(apply({other, refund}));
    EXPECT_EQ(balance_of("ann"), 14);
}

TEST_F(BatchRunTest, AddsToWhatAnEarlierEventSet) {
    EXPECT_FALSE(apply({with_customer("reset", "ann"), credit_of("ann", 2)}));
    EXPECT_EQ(balance_of("ann"), 3);
    EXPECT_FALSE(apply({credit_of("ann", 9), with_customer("reset", "ann")}));
    EXPECT_EQ(balance_of("ann"), 1);
}

TEST_F(BatchRunTest, BlamesTheEventWhoseRowWasThere) {
    expect_fails(
        {with_ref("book", "a"), with_ref("book", "b"), with_ref("book", "old"), with_ref("book", "c")}, 2,
        Outcome::park);
    expect_fails({with_ref("book", "a"), with_ref("book", "b"), with_ref("book", "a"), with_ref("book", "b")},
                 2, Outcome::park);
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM entry"), 1);
}

TEST_F(BatchRunTest, BlamesTheFirstOfSeveralWhoseRowsWereThere) {
    expect_fails({credit_of("ann", 1), with_ref("book", "old"), with_ref("bill", "old")}, 1, Outcome::park);
    expect_fails({credit_of("ann", 1), with_ref("bill", "old"), with_ref("book", "old")}, 1, Outcome::park);
}

TEST_F(BatchRunTest, InsertsTheOthersWhenOneMayBeThere) {
    EXPECT_FALSE(apply({with_ref("remind", "a"), with_ref("remind", "old"), with_ref("remind", "b"),
                        with_ref("remind", "a")}));
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM reminder"), 3);
}

TEST_F(BatchRunTest, GivesUpWholeWhenARowIsLocked) {
    const auto other = open();
    ASSERT_TRUE(other->begin());
    ASSERT_TRUE(other->run("UPDATE wallet SET balance = 7 WHERE customer = 'bob'"));
    ASSERT_TRUE(connection->set_lock_wait(std::chrono::seconds{1}));
    const auto failure = apply({credit_of("ann", 5), with_ref("book", "a"), credit_of("bob", 5)});
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->verdict.error.value(), 1205);
    EXPECT_FALSE(failure->culprit) << "nobody's fault";
    ASSERT_TRUE(other->rollback());
    EXPECT_EQ(balance_of("ann"), 0);
}

TEST_F(BatchRunTest, TakesARowThatSomebodyIsInsertingForNoDuplicate) {
    const auto other = open();
    ASSERT_TRUE(other->begin());
    ASSERT_TRUE(other->run("INSERT INTO reminder VALUES ('a')"));
    ASSERT_TRUE(connection->set_lock_wait(std::chrono::seconds{1}));
    const auto failure = apply({credit_of("ann", 5), with_ref("remind", "a")});
    ASSERT_TRUE(failure) << "the reminder is not there, and never will be when the other rolls back";
    EXPECT_EQ(failure->verdict.error.value(), 1205);
    ASSERT_TRUE(other->rollback());
    EXPECT_EQ(balance_of("ann"), 0);
    EXPECT_FALSE(apply({with_ref("remind", "a")}));
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM reminder"), 2);
}

TEST_F(BatchRunTest, GoesOnWithoutWhoIsShort) {
    const auto outcomes = apply_each({credit_of("ann", 5), credit_of("ann", -6), credit_of("bob", 1),
                                      credit_of("ann", -5), credit_of("ann", -1), credit_of("cid", 1)});
    EXPECT_EQ(outcomes, (std::vector{Outcome::done, Outcome::park, Outcome::done, Outcome::done,
                                     Outcome::park, Outcome::defer}));
    EXPECT_EQ(balance_of("ann"), 0);
    EXPECT_EQ(balance_of("bob"), 1);
}

TEST_F(BatchRunTest, ManyWhoAreShortCostNoStatementEach) {
    EXPECT_EQ(apply_each({credit_of("ann", 1)}), std::vector{Outcome::done});
    const auto before = executions();
    EXPECT_EQ(apply_each(std::vector(100, credit_of("ann", -2))), std::vector(100, Outcome::park));
    EXPECT_EQ(executions() - before, 2) << "their row was looked at once, beside this question";
}

TEST_F(BatchRunTest, TellsWhatWasIgnored) {
    EXPECT_EQ(apply_each({with_ref("remind", "r1"), with_ref("remind", "old"), with_ref("remind", "r1")}),
              (std::vector{Outcome::done, Outcome::ignore, Outcome::ignore}));
    EXPECT_EQ(
        apply_each({with_customer("ship", "ann"), with_customer("pay", "ann"), with_customer("ship", "ann")}),
        (std::vector{Outcome::ignore, Outcome::done, Outcome::done}));
}

}  // namespace
}  // namespace sluice::effects
