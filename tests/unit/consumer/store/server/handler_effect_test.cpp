#include "consumer/effects/handler/handler_effect.hpp"

#include <functional>
#include <new>
#include <stdexcept>

#include "common/error.hpp"
#include "consumer/effects/batch/batch_run.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/store/driver/error.hpp"
#include "consumer/store/driver/statement_watch.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::effects {
namespace {

enum Statements : std::size_t { read_balance, add, note };

using Does = std::function<Result<Handled>(const HandlerEvent&, HandlerTransaction&)>;
Does does;  // what the handler of the test does

Handler the_handler(bool reads_body = false) {
    return {.name = "tested",
            .needs = {{"customer"}},
            .statements = {"SELECT balance FROM wallet WHERE customer = ? FOR UPDATE",
                           "UPDATE wallet SET balance = balance + ? WHERE customer = ?",
                           "INSERT INTO entry VALUES (?)"},
            .reads_body = reads_body,
            .handle = +[](const HandlerEvent& event, HandlerTransaction& transaction) {
                return does(event, transaction);
            }};
}

/// A handler on a wallet and its entries, and a set-based effect on the same wallet.
class HandlerEffectTest : public store::ServerTest {
protected:
    void SetUp() override {
        ServerTest::SetUp();
        connection = open();
        run(*connection, "CREATE TABLE wallet (customer VARCHAR(16) PRIMARY KEY, balance BIGINT NOT NULL)");
        run(*connection, "CREATE TABLE entry (event VARCHAR(16) PRIMARY KEY)");
        run(*connection, "INSERT INTO wallet VALUES ('ann', 100)");
        run(*connection, "INSERT INTO entry VALUES ('old')");
        headers.event_id = "evt_1";
        headers.type = "a";
        configure();
    }

    void TearDown() override {
        connection.reset();
        ServerTest::TearDown();
    }

    void configure() {
        auto reading = read_with(
            "effects:\n"
            "  - {name: own, when: {type: a}, let: {customer: /customer}, handler: tested}\n"
            "  - name: credit\n"
            "    when: {type: credit}\n"
            "    let: {customer: /customer}\n"
            "    add: {table: wallet, key: {customer: ':customer'}, column: balance, by: 5}\n",
            [this](const config::Document& document, config::Problems& problems) {
                return EffectSet::read(document, sources(), problems, {&handler, 1});
            });
        ASSERT_EQ(reading.report, "");
        set.emplace(std::move(reading.value));
    }

    /// In a transaction of its own: committed when done or ignored.
    Verdict apply(Does what) {
        does = std::move(what);
        EXPECT_TRUE(view.read(R"({"customer": "ann"})"));
        EXPECT_TRUE(connection->begin());
        auto verdict = set->run(set->matching(headers), {headers, view}, *connection);
        const bool is_good = verdict.outcome == Outcome::done || verdict.outcome == Outcome::ignore;
        EXPECT_TRUE(is_good ? connection->commit() : connection->rollback());
        return verdict;
    }

    std::int64_t balance() { return number(*connection, "SELECT balance FROM wallet"); }

    static Result<std::int64_t> adds(const HandlerEvent& event, HandlerTransaction& transaction,
                                     std::int64_t amount = 7) {
        return transaction.execute(add, {amount, event.values[0]});
    }

    std::unique_ptr<store::Connection> connection;
    Handler handler = the_handler();
    std::optional<EffectSet> set;
    record::EventHeaders headers;
    webhook::JsonView view;
};

TEST_F(HandlerEffectTest, ReadsAndChangesInTheOpenTransaction) {
    const auto verdict = apply([](const auto& event, auto& transaction) -> Result<Handled> {
        const auto rows = transaction.query(read_balance, {event.values[0]});
        if (!rows) return Failure{rows.error()};
        const auto doubled = adds(event, transaction, std::get<std::int64_t>(rows->front()[0]));
        if (!doubled) return Failure{doubled.error()};
        EXPECT_EQ(*doubled, 1);
        EXPECT_EQ(event.body, nullptr);
        return Handled{};
    });
    EXPECT_EQ(verdict.outcome, Outcome::done) << verdict.reason;
    EXPECT_EQ(balance(), 200);
}

TEST_F(HandlerEffectTest, HasTheBodyIfItAskedForIt) {
    handler = the_handler(true);
    configure();
    const auto pointer = webhook::Pointer::parse("/customer").value();
    EXPECT_EQ(apply([&](const auto& event, auto&) -> Result<Handled> {
                  EXPECT_EQ(event.body->string(pointer).value(), "ann");
                  return Handled{Outcome::ignore};
              }).outcome,
              Outcome::ignore);
}

TEST_F(HandlerEffectTest, KeepsNothingUnlessItIsDoneOrIgnored) {
    for (const Outcome outcome : {Outcome::defer, Outcome::retry, Outcome::park}) {
        const auto verdict = apply([&](const auto& event, auto& transaction) -> Result<Handled> {
            EXPECT_TRUE(adds(event, transaction));
            return Handled{outcome, {}, "not\nnow"};
        });
        EXPECT_EQ(verdict.outcome, outcome);
        EXPECT_EQ(verdict.reason, "not\\nnow");
        EXPECT_EQ(verdict.effect, "own");
        EXPECT_TRUE(verdict.quotes_event);
    }
    EXPECT_EQ(apply([](const auto&, auto&) { return Handled{Outcome::retry}; }).reason,
              "handler tested says retry");
    EXPECT_EQ(balance(), 100);
}

TEST_F(HandlerEffectTest, NamesACaseOfAClassThatIsOne) {
    const auto verdict =
        apply([](const auto&, auto&) { return Handled{Outcome::park, "sold_out", "none left"}; });
    EXPECT_EQ(verdict.case_class, "sold_out");
    EXPECT_EQ(verdict.reason, "none left");
    EXPECT_EQ(apply([](const auto&, auto&) { return Handled{Outcome::park, "sold_out"}; }).reason,
              "handler tested says park:sold_out");
    for (const auto& [outcome, word] : std::vector<std::pair<Outcome, std::string>>{
             {Outcome::park, "Sold Out"}, {Outcome::park, "data"}, {Outcome::done, "sold_out"}}) {
        const auto wrong = apply([&](const auto& event, auto& transaction) -> Result<Handled> {
            EXPECT_TRUE(adds(event, transaction));
            return Handled{outcome, word};
        });
        EXPECT_EQ(wrong.outcome, Outcome::park);
        EXPECT_EQ(wrong.case_class, "");
        EXPECT_TRUE(wrong.reason.contains("which is none of cases")) << wrong.reason;
    }
    EXPECT_EQ(balance(), 100);
}

TEST_F(HandlerEffectTest, ParksWhatItThrowsAndGoesOnWithTheNextEvent) {
    const auto verdict = apply([](const auto& event, auto& transaction) -> Result<Handled> {
        EXPECT_TRUE(adds(event, transaction));
        throw std::runtime_error{"ann\n is " + std::string(2000, 'x')};
    });
    EXPECT_EQ(verdict.outcome, Outcome::park);
    EXPECT_EQ(verdict.effect, "own");
    EXPECT_TRUE(verdict.reason.starts_with("handler tested threw: ann\\n is x")) << verdict.reason;
    EXPECT_LT(verdict.reason.size(), 600U);
    EXPECT_TRUE(verdict.quotes_event) << "what() may have any of it";
    EXPECT_EQ(apply([](const auto&, auto&) -> Result<Handled> { throw 42; }).reason,
              "handler tested threw what is no std::exception");
    EXPECT_EQ(balance(), 100);
    EXPECT_EQ(apply([](const auto& event, auto& transaction) -> Result<Handled> {
                  EXPECT_TRUE(adds(event, transaction));
                  return Handled{};
              }).outcome,
              Outcome::done);
    EXPECT_EQ(balance(), 107);
}

TEST_F(HandlerEffectTest, TriesAgainWhereItFindsNoMemory) {
    const auto verdict = apply([](const auto& event, auto& transaction) -> Result<Handled> {
        EXPECT_TRUE(adds(event, transaction));
        throw std::bad_alloc{};
    });
    EXPECT_EQ(verdict.outcome, Outcome::retry);
    EXPECT_EQ(verdict.reason, "handler tested found no memory");
    EXPECT_EQ(balance(), 100);
}

TEST_F(HandlerEffectTest, FailsByItsStatementWhateverItMakesOfThat) {
    const auto verdict = apply([](const auto& event, auto& transaction) -> Result<Handled> {
        EXPECT_TRUE(adds(event, transaction));
        EXPECT_FALSE(transaction.execute(note, {"old"}));
        EXPECT_FALSE(adds(event, transaction)) << "the transaction is lost";
        return Handled{Outcome::ignore};
    });
    EXPECT_EQ(verdict.outcome, Outcome::park) << "as a sql effect's duplicate";
    EXPECT_EQ(verdict.error.value(), 1062);
    EXPECT_TRUE(verdict.reason.starts_with("statement 3, on entry, failed: ")) << verdict.reason;
    const auto thrown = apply([](const auto&, auto& transaction) -> Result<Handled> {
        EXPECT_FALSE(transaction.execute(note, {"a name that is too long"}));
        throw std::runtime_error{"gave up"};
    });
    EXPECT_EQ(thrown.error.value(), 1406) << thrown.reason;
    EXPECT_EQ(balance(), 100);
}

TEST_F(HandlerEffectTest, FailsByAnErrorOfItsOwnAndNotAsTheDatabase) {
    const auto returns = [this](std::error_code error) {
        return apply([error](const auto&, auto&) -> Result<Handled> { return Failure{error}; });
    };
    EXPECT_EQ(returns(make_error_code(errc::out_of_range)).outcome, Outcome::park);
    const auto verdict = returns(store::make_error(2006, "HY000"));
    EXPECT_EQ(verdict.outcome, Outcome::retry);
    EXPECT_FALSE(verdict.error) << "the session lives, and other events go on";
    EXPECT_TRUE(verdict.reason.starts_with("handler tested failed: ")) << verdict.reason;
}

TEST_F(HandlerEffectTest, RunsNothingButWhatItDeclared) {
    const std::pair<Does, const char*> wrong[] = {
        {[](const auto&, auto& transaction) -> Result<Handled> {
             (void)transaction.execute(3, {});
             return Handled{};
         },
         "statement 4 is not declared"},
        {[](const auto& event, auto& transaction) -> Result<Handled> {
             (void)transaction.execute(add, {event.values[0]});
             return Handled{};
         },
         "statement 2 got 1 values and wants 2"},
        {[](const auto& event, auto& transaction) -> Result<Handled> {
             (void)transaction.execute(read_balance, {event.values[0]});
             return Handled{};
         },
         "statement 1 is a SELECT: query it"},
        {[](const auto&, auto& transaction) -> Result<Handled> {
             (void)transaction.query(note, {"new"});
             return Handled{};
         },
         "statement 3 is a change: execute it"},
    };
    for (const auto& [what, says] : wrong) {
        const auto verdict = apply(what);
        EXPECT_EQ(verdict.outcome, Outcome::park);
        EXPECT_TRUE(verdict.reason.contains(says)) << verdict.reason;
    }
    EXPECT_EQ(number(*connection, "SELECT COUNT(*) FROM entry"), 1);
}

TEST_F(HandlerEffectTest, KeepsNothingOfARunThatMisusedAStatementAndSaidNothing) {
    const auto verdict = apply([](const auto& event, auto& transaction) -> Result<Handled> {
        (void)adds(event, transaction);
        try {
            (void)transaction.execute(note, {});
        } catch (const std::exception&) {
        }
        return Handled{};
    });
    EXPECT_EQ(verdict.outcome, Outcome::park);
    EXPECT_TRUE(verdict.reason.contains("statement 3 got 0 values and wants 1")) << verdict.reason;
    EXPECT_EQ(balance(), 100);
}

TEST_F(HandlerEffectTest, KeepsNothingOfARunThatReturnsTooLate) {
    Log log{{.program = "test", .level = LogLevel::error, .descriptor = 2}};
    SystemClock clock;
    auto mysql = settings();
    store::StatementWatch watch{mysql, clock, log};
    connection->be_watched(watch);
    const auto verdict = apply([this](const auto& event, auto& transaction) -> Result<Handled> {
        (void)adds(event, transaction);
        connection->set_limit(Milliseconds{0});  // as if it had worked for longer than `within`
        return Handled{};
    });
    EXPECT_EQ(verdict.outcome, Outcome::retry);
    EXPECT_EQ(verdict.error, store::make_error(store::statement_overdue, "HY000"));
    EXPECT_TRUE(verdict.reason.contains("handler tested returned too late")) << verdict.reason;
    EXPECT_EQ(balance(), 100);
    connection.reset();  // before its watch
}

TEST_F(HandlerEffectTest, ParksWhatIsNoOutcome) {
    const auto verdict =
        apply([](const auto&, auto&) -> Result<Handled> { return Handled{static_cast<Outcome>(77)}; });
    EXPECT_EQ(verdict.outcome, Outcome::park);
    EXPECT_TRUE(verdict.reason.contains("says what is no outcome")) << verdict.reason;
}

TEST_F(HandlerEffectTest, SaysWhatItLacksAndWhatCannotBeRolledBack) {
    config::Problems problems;
    EXPECT_TRUE(set->check(*connection, problems)->empty());
    run(*connection, "ALTER TABLE entry RENAME TO entry_of_before");
    const auto missing = set->check(*connection, problems).value();
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_EQ(missing[0].effect, "own");
    EXPECT_TRUE(missing[0].sentence.starts_with(
        "test.yaml:2: effect 'own': the database refuses \"INSERT INTO entry"))
        << missing[0].sentence;
    const auto verdict = apply([](const auto&, auto& transaction) -> Result<Handled> {
        (void)transaction.execute(note, {"new"});
        return Handled{};
    });
    EXPECT_EQ(store::class_of(verdict.error), store::ErrorClass::schema) << "it is held, not dead";
    EXPECT_FALSE(problems.any());
    run(*connection, "CREATE TABLE entry (event VARCHAR(16) PRIMARY KEY) ENGINE = MyISAM");
    EXPECT_TRUE(set->check(*connection, problems)->empty());
    EXPECT_TRUE(problems.report().contains("ENGINE = InnoDB")) << problems.report();
    EXPECT_EQ(set->find("own")->tables(), (std::vector<std::string>{"wallet", "entry"}));
}

TEST_F(HandlerEffectTest, TakesItsTurnInABatch) {
    // 100 + 5, doubled, + 5
    does = [](const auto& event, auto& transaction) -> Result<Handled> {
        const auto rows = transaction.query(read_balance, {event.values[0]});
        return adds(event, transaction, std::get<std::int64_t>(rows->front()[0])).transform([](std::int64_t) {
            return Handled{};
        });
    };
    std::vector<record::EventHeaders> all(3, headers);
    all[0].type = all[2].type = "credit";
    std::vector<std::vector<const Effect*>> matching;
    for (const auto& one : all) matching.push_back(set->matching(one));
    std::vector<BatchEvent> events;
    for (std::size_t i = 0; i < all.size(); ++i) events.push_back({all[i], matching[i]});
    BatchRun batch{*set};
    EXPECT_TRUE(connection->begin());
    const auto body_of = [&](std::size_t) -> std::optional<EventBody> {
        EXPECT_TRUE(view.read(R"({"customer": "ann"})"));
        return EventBody{view};
    };
    EXPECT_TRUE(batch.run(events, body_of, *connection, SteadyTime{}));
    EXPECT_TRUE(connection->commit());
    EXPECT_EQ(balance(), 215);

    does = [](const auto&, auto&) -> Result<Handled> { throw std::runtime_error{"no"}; };
    EXPECT_TRUE(connection->begin());
    const auto failed = batch.run(events, body_of, *connection, SteadyTime{});
    EXPECT_TRUE(connection->rollback());
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().culprit, 1U);
    EXPECT_EQ(balance(), 215);
}

}  // namespace
}  // namespace sluice::effects
