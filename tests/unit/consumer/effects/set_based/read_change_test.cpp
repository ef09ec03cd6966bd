#include <gtest/gtest.h>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

constexpr auto let =
    "    let:\n      customer: /c\n      amount: {pointer: /a, as: int64}\n"
    "      maybe: {pointer: /m, as: int64, optional: true}\n      at: {pointer: /t, as: time}\n";

auto read(const std::string& tail) {
    return read_effects("  - name: e\n    when: {type: a}\n" + tail);
}

TEST(ReadChange, ReadsTheOnesOfTheDesignInFileOrder) {
    const auto [set, report] = read(
        "    let: {customer: /c, amount: {pointer: /a, as: int64}}\n"
        "    add: {table: wallet, key: {customer: \":customer\"}, column: balance, by: \":amount\", missing: "
        "defer}\n"
        "    insert: {table: entry, row: {event: \":event_id\", amount: \"-:amount\"}, duplicate: ignore}\n"
        "    set: {table: payment, key: {id: x}, row: {status: paid}, when: {status: [new, null]}}\n");
    EXPECT_EQ(report, "");
    const auto& changes = set.all().front()->set_based()->changes();
    ASSERT_EQ(changes.size(), 3U);
    EXPECT_EQ(changes[0].kind(), "add");
    EXPECT_EQ(std::get<Addition>(changes[0].what).missing.outcome, Outcome::defer);
    EXPECT_EQ(changes[1].kind(), "insert");
    const auto& insertion = std::get<Insertion>(changes[1].what);
    EXPECT_EQ(insertion.duplicate.outcome, Outcome::ignore);
    EXPECT_TRUE(insertion.row.at(0).value.is_negative);
    EXPECT_EQ(changes[2].place.line, 7);
    const auto& guard = std::get<Assignment>(changes[2].what).when.at(0);
    ASSERT_EQ(guard.any_of.size(), 2U);
    EXPECT_EQ(guard.any_of[0].text, "new");
    EXPECT_EQ(guard.any_of[1].kind, Operand::Kind::null);
}

struct Wrong {
    std::string tail;
    std::string says;
};

TEST(ReadChange, SaysWhatIsWrongAndWhere) {
    const std::string add = "    add: {table: w, key: {c: \":customer\"}, column: b, by: ";
    const Wrong cases[] = {
        {"    insert: {tabel: t, row: {a: b}}\n", "insert.tabel is not a known key; did you mean \"table\""},
        {"    insert: {row: {a: b}}\n", "table must be given"},
        {"    insert: {table: t}\n", "row must be a mapping from columns to values"},
        {"    insert: {table: t.u, row: {a: b}}\n", "'t.u' is not a table name"},
        {"    insert: {table: t, row: {\"a`\": b}}\n", "'a`' is not a column name"},
        {"    insert: {table: t, row: {a: b, A: c}}\n", "row has the column A twice"},
        {"    insert: {table: t, row: {a: [b]}}\n", "a value must be :name"},
        {"    insert: {table: t, row: {a: \":b\"}}\n", "test.yaml:4: :b is not known: add it to let"},
        {"    insert: {table: t, row: {a: b}, duplicate: defer}\n",
         "'defer' cannot be said here: use done, ignore, park or {park: CLASS"},
        {"    insert: []\n", "insert must be a mapping"},
        {let + add + "\":customer\"}\n",
         "test.yaml:9: by must be a whole number: use a parameter with as: int64"},
        {let + add + "\"-:customer\"}\n", "-:customer is not a number"},
        {let + add + "\":maybe\"}\n", "by is an optional parameter"},
        {let + add + "1.5}\n", "'1.5' is not a whole number"},
        {let + add + "1, below: park}\n", "give floor too"},
        {let + add + "1, missing: done}\n", "'done' cannot be said here"},
        {let + add + "1, floor: low}\n", "floor must"},
        {"    add: {table: w, key: {c: d}, column: c, by: 1}\n",
         "an effect cannot add to a column of its key"},
        {"    add: {table: w, key: {c: d}, column: b}\n", "by is missing"},
        {"    add: {table: w, key: {c: \":received_at\"}, column: b, by: 1}\n", "the key c is a time"},
        {"    set: {table: w, key: {c: d}, row: {c: e}}\n", "row sets c, a column of the key"},
        {"    set: {table: w, key: {c: d}, row: {e: f}, when: {g: []}}\n", "the list is empty"},
        {"    set: {table: w, key: {c: d}, row: {e: f}, otherwise: park}\n", "give when"},
        {"    set: {table: w, key: {c: d}, row: {e: f}}\n    sql: [{run: DELETE FROM t}]\n",
         "has sql and a set-based kind"},
        {"    let: {unused: /u}\n    insert: {table: t, row: {a: b}}\n", "test.yaml:4: nothing uses :unused"},
        {"    outbox: {}\n    insert: {}\n", "effects[0].outbox is not a known key"},
    };
    for (const auto& [tail, says] : cases) {
        const auto report = read(tail).report;
        EXPECT_TRUE(report.contains(says)) << tail << "\nreport: " << report;
    }
}

TEST(ReadChange, CallsNothingUnusedThatARefusedChangeMayUse) {
    const auto report = read("    let: {a: /a}\n    insert: {table: t, row: {b: \":c\"}}\n").report;
    EXPECT_FALSE(report.contains("nothing uses")) << report;
}

/// Warnings of an insert of this row, beside a change that uses the name customer.
std::vector<std::string> warnings_of(const std::string& row) {
    config::Problems problems;
    const auto document = config::Document::from_text(
        "effects:\n  - name: e\n    when: {type: a}\n    let: {customer: /c}\n    insert: {table: t, row: " +
            row + "}\n    set: {table: u, key: {id: ':customer'}, row: {seen: 1}}\n",
        "test.yaml", problems);
    const auto set = EffectSet::read(document, sources(), problems);
    EXPECT_EQ(problems.report(), "");
    return problems.warnings();
}

TEST(ReadChange, DoubtsATextThatIsTheNameOfAValue) {
    EXPECT_EQ(warnings_of("{a: customer}"),
              std::vector<std::string>{"test.yaml:5: this is the text 'customer' itself: for what let reads, "
                                       "write \":customer\""});
    const auto unused = read("    let: {customer: /c}\n    insert: {table: t, row: {a: customer}}\n").report;
    EXPECT_TRUE(unused.contains("nothing uses :customer")) << unused;
    EXPECT_TRUE(warnings_of("{a: ':customer', b: Customer, c: event_id, d: amount}").empty());
}

}  // namespace
}  // namespace sluice::effects
