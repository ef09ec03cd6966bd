#include <algorithm>
#include <random>

#include "consumer/effects/batch/batch_plan.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"
#include "tests/unit/consumer/store/server/effects_world.hpp"
#include "tests/unit/consumer/store/server/fixture.hpp"

namespace sluice::effects {
namespace {

const std::string newer =
    "newer: [{changed_at: \":at\"}, {state_rank: \":rank\"}, {by_event: \":event_id\"}], ";

const RandomEffects newest{
    .set_based =
        "effects:\n"
        "  - name: keep\n    when: {type: kept}\n"
        "    let: {id: /id, email: {pointer: /email, optional: true}, at: {pointer: /at, as: time}, rank: "
        "{pointer: /rank, as: int64}, body: {pointer: /id, as: json}}\n"
        "    upsert: {table: $mirror, key: {id: \":id\"}, row: {email: \":email\", body: \":body\"}, " +
        newer +
        "tombstone: gone_at}\n"
        "  - name: delete\n    when: {type: deleted}\n"
        "    let: {id: /id, at: {pointer: /at, as: time}, rank: {pointer: /rank, as: int64}}\n"
        "    upsert: {table: $mirror, key: {id: \":id\"}, row: {email: null, body: null}, " +
        newer + "tombstone: {gone_at: \":at\"}}\n",
    .by_sql = {},
    .tables = {"CREATE TABLE $mirror (id VARBINARY(64) PRIMARY KEY, email VARCHAR(64) NULL, body LONGTEXT "
               "NULL, changed_at "
               "DATETIME(6) NOT NULL, state_rank BIGINT NOT NULL, by_event VARBINARY(64) NOT NULL, gone_at "
               "DATETIME(6) "
               "NULL)"},
    .names = {"mirror"}};

/// The same table, by one effect.
const RandomEffects mirrored{
    .set_based =
        "effects:\n"
        "  - name: keep\n    when: {type: [kept, deleted]}\n"
        "    mirror: {table: $mirror, key: {id: /id}, columns: {email: /email, body: {pointer: /id, as: "
        "json}}, newer: [{changed_at: {pointer: /at, as: time}}, {state_rank: {pointer: /rank, as: int64}}, "
        "{by_event: \":event_id\"}], tombstone: {gone_at: {pointer: /at, as: time}}, deleted_by: deleted}\n",
    .by_sql = {},
    .tables = newest.tables,
    .names = {"mirror"}};

/// An object's events as they happened: several in a second, perhaps with its deletion.
std::vector<RandomEvent> life_of(Chance& chance, const std::string& id) {
    const std::vector<std::string> emails{"a@shop.test", "b@shop.test", "\\\"'; DELETE FROM x; -- :id ?",
                                          "\\u0000"};
    std::vector<RandomEvent> events;
    int at = 1'790'000'000;
    const int count = 1 + chance.below(6);
    for (int i = 0; i < count; ++i) {
        at += chance.below(2);
        const auto* type = chance.one_in(8) ? "deleted" : "kept";
        std::string body = R"({"id": ")" + id + R"(", "at": )" + std::to_string(at) + R"(, "rank": )" +
                           std::to_string(i == 0 ? 0 : chance.below(2));
        if (!chance.one_in(4)) body += R"(, "email": ")" + chance.one_of(emails) + "\"";
        events.push_back({id + "_" + std::to_string(i), type, body + "}"});
    }
    return events;
}

void run_in_batches(World& world, Chance& chance, const std::vector<RandomEvent>& events) {
    for (std::size_t from = 0; from < events.size();) {
        const auto count =
            std::min<std::size_t>(1 + static_cast<std::size_t>(chance.below(256)), events.size() - from);
        const auto first = events.begin() + static_cast<std::ptrdiff_t>(from);
        const auto outcomes = world.run_batch({first, first + static_cast<std::ptrdiff_t>(count)});
        EXPECT_TRUE(std::ranges::all_of(outcomes, is_good));
        EXPECT_TRUE(std::ranges::all_of(world.claims, &Claim::committed))
            << "one by one hides what batches do";
        from += count;
    }
}

class NewestWinsTest : public store::ServerTest {
protected:
    void expect_the_rows_of_the_ordered_delivery(const RandomEffects& effects);
};

/// 100 objects a round. SLUICE_TEST_ROUNDS=1000 makes 100,000 of them.
void NewestWinsTest::expect_the_rows_of_the_ordered_delivery(const RandomEffects& effects) {
    const auto seed = number_from("SLUICE_TEST_SEED", std::random_device{}());
    const auto rounds = number_from("SLUICE_TEST_ROUNDS", 10);
    const auto connection = open();
    World in_order{*connection, "o_", effects, effects.set_based};
    World together{*connection, "b_", effects, effects.set_based};
    World alone{*connection, "a_", effects, effects.set_based};
    for (unsigned round = 0; round < rounds && !HasFailure(); ++round) {
        SCOPED_TRACE("again with SLUICE_TEST_SEED=" + std::to_string(seed + round) + " SLUICE_TEST_ROUNDS=1");
        Chance chance{seed + round};
        std::mt19937 order{seed + round};
        std::vector<RandomEvent> events;
        for (int i = 0; i < 100; ++i)
            std::ranges::copy(life_of(chance, "obj" + std::to_string(i)), std::back_inserter(events));
        run_in_batches(in_order, chance, events);
        for (int i = 0; i < 60; ++i)
            events.push_back(events[static_cast<std::size_t>(chance.below(static_cast<int>(events.size())))]);
        std::ranges::shuffle(events, order);
        run_in_batches(together, chance, events);
        const auto wanted = in_order.content("mirror");
        ASSERT_TRUE(wanted.starts_with("obj0|")) << wanted;
        EXPECT_EQ(together.content("mirror"), wanted);
        if (round % 10 == 0) {
            for (const auto& event : events) EXPECT_TRUE(is_good(alone.run_alone(event))) << event.body;
            EXPECT_EQ(alone.content("mirror"), wanted);
        }
        for (const auto* table : {"o_mirror", "b_mirror", "a_mirror"})
            run(*connection, std::string{"DELETE FROM "} + table);
    }
}

TEST_F(NewestWinsTest, AnyOrderAndAnyDuplicatesEndInTheRowsOfTheOrderedDelivery) {
    expect_the_rows_of_the_ordered_delivery(newest);
}

TEST_F(NewestWinsTest, SoDoMirrorsThatDeleteByType) {
    expect_the_rows_of_the_ordered_delivery(mirrored);
}

/// Another transaction that makes the row, right after the first look at it found none.
class Intruder : public store::StatementObserver {
public:
    Intruder(store::Connection& other, std::string statement)
        : other_{other}, statement_{std::move(statement)} {}

    void ran(const store::RanStatement& statement) override {
        if (has_come || statement.rows == nullptr || !statement.text.contains("FOR UPDATE")) return;
        has_come = true;
        EXPECT_TRUE(other_.run(statement_)) << other_.last_error().message;
    }

    bool has_come = false;

private:
    store::Connection& other_;
    std::string statement_;
};

std::string row_of(const std::string& prefix, int second) {
    return "INSERT INTO " + prefix +
           "mirror (id, email, changed_at, state_rank, by_event) VALUES ('obj', 'other', '2026-09-21 "
           "14:13:0" +
           std::to_string(second) + "', 0, 'other')";
}

RandomEvent event_at_second(int second) {
    return {"ours", "kept",
            R"({"id": "obj", "at": )" + std::to_string(1'790'000'000 - 1'790'000'000 % 60 + second) +
                R"(, "rank": 0, "email": "ours"})"};
}

TEST_F(NewestWinsTest, ARowThatAnotherTransactionMadeMeanwhileIsComparedToo) {
    const auto connection = open();
    const auto other = open();
    int number_of_world = 0;
    for (const bool is_batch : {false, true}) {
        for (const int second : {1, 9}) {
            const auto prefix = "r" + std::to_string(++number_of_world) + "_";
            World world{*connection, prefix, newest, newest.set_based};
            Intruder intruder{*other, row_of(prefix, 5)};
            connection->be_observed(&intruder);
            const auto event = event_at_second(second);
            EXPECT_TRUE(is_good(is_batch ? world.run_batch({event}).front() : world.run_alone(event)));
            connection->be_observed(nullptr);
            EXPECT_TRUE(intruder.has_come);
            EXPECT_TRUE(world.content("mirror").contains(second > 5 ? "|ours|" : "|other|"))
                << world.content("mirror");
        }
    }
}

TEST_F(NewestWinsTest, ATableWithAUniqueIndexOfAnExpressionIsWrittenOneByOne) {
    const auto connection = open();
    if (connection->is_mariadb()) return;  // has no such indexes
    const auto reading =
        read_with(with_prefix(newest.set_based +
                                  "  - name: note\n    when: {type: noted}\n    let: {id: /id}\n"
                                  "    set: {table: $mirror, key: {id: \":id\"}, row: {note: \":id\"}}\n",
                              "x_"),
                  [](const config::Document& document, config::Problems& problems) {
                      return EffectSet::read(document, sources(), problems);
                  });
    ASSERT_EQ(reading.report, "");
    auto table = with_prefix(newest.tables.front(), "x_");
    table.insert(table.rfind(')'), ", note VARCHAR(64) NULL");
    run(*connection, table);
    const auto together = [&] {
        const auto plan = plan_batches(pointers_to(reading.value), *connection);
        EXPECT_TRUE(plan);
        return std::ranges::count_if(plan->targets, [](const auto& entry) { return entry.second.together; });
    };
    EXPECT_EQ(together(), 3);
    run(*connection, "ALTER TABLE x_mirror ADD UNIQUE ((LOWER(email)), (LOWER(note)))");
    EXPECT_EQ(together(), 0);
}

}  // namespace
}  // namespace sluice::effects
