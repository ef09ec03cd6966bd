#include <gtest/gtest.h>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

/// An effect with such an upsert, and an insert that uses the other names; `name` is its type, too.
std::string effect(const std::string& name, const std::string& upsert) {
    return "  - name: " + name + "\n    when: {type: " + name +
           "}\n    let: {id: /id, email: /e, version: {pointer: /v, as: int64}, maybe: {pointer: /m, "
           "optional: "
           "true}, at: {pointer: /t, as: time}, price: {pointer: /p, as: decimal, scale: 2}}\n    upsert: "
           "{table: customer, key: {id: \":id\"}, " +
           upsert +
           "}\n    insert: {table: log, row: {a: \":email\", b: \":version\", c: \":maybe\", d: \":at\", e: "
           "\":price\"}}\n";
}

const Upsert& upsert_in(const EffectSet& set, std::size_t effect) {
    return std::get<Upsert>(set.all()[effect]->set_based()->changes().front().what);
}

TEST(ReadUpsert, SortsColumnsAndKeepsTheOrderOfNewer) {
    const auto [set, report] = read_effects(effect(
        "a",
        "row: {email: \":email\"}, newer: [{version: \":version\"}, {at: \":at\"}], tombstone: deleted_at"));
    ASSERT_EQ(report, "");
    const auto& upsert = upsert_in(set, 0);
    std::string columns;
    for (const auto& cell : upsert.row) columns += cell.column + " ";
    EXPECT_EQ(columns, "at deleted_at email version ");
    EXPECT_EQ(upsert.newer.at(0).column, "version");
    EXPECT_EQ(upsert.newer.at(1).column, "at");
    EXPECT_EQ(upsert.row.at(1).value.kind, Operand::Kind::null);
    EXPECT_FALSE(upsert.deletes);
    EXPECT_FALSE(upsert.replaces_ties);
    EXPECT_EQ(upsert.tie.outcome, Outcome::ignore);
    EXPECT_EQ(upsert.stale.outcome, Outcome::ignore);
}

TEST(ReadUpsert, ReadsADeletionAndRules) {
    const auto [set, report] = read_effects(effect("a",
                                                   "newer: {version: \":version\"}, tombstone: {deleted_at: "
                                                   "\":at\"}, tie: replace, stale: park:too_late"));
    ASSERT_EQ(report, "");
    const auto& upsert = upsert_in(set, 0);
    EXPECT_TRUE(upsert.deletes);
    EXPECT_TRUE(upsert.replaces_ties);
    EXPECT_EQ(upsert.tombstone, "deleted_at");
    EXPECT_EQ(upsert.stale.case_class, "too_late");
}

TEST(ReadUpsert, SaysWhatIsWrongAndWhere) {
    const std::string newer = "newer: {version: \":version\"}";
    const std::pair<std::string, std::string> cases[] = {
        {"row: {email: \":email\"}", "newer is missing: the column that says how new a row is"},
        {"newer: []", "newer is empty"},
        {"newer: {version: \":version\", at: \":at\"}", "newer must be {column: value}, or a list of such"},
        {"newer: {version: \"1\"}", "a value of newer must be :name; a constant is a let"},
        {"newer: {version: \":maybe\"}", "a value of newer is an optional parameter"},
        {"newer: {version: \":price\"}",
         "test.yaml:5: a value of newer is read as: decimal, which is text, and as text 10.00 is older than "
         "9.00: read it with as: int64 or as: minor"},
        {newer + ", row: {id: \":id\"}", "the column id stands twice in key, row, newer and tombstone"},
        {newer + ", row: {version: \":version\"}", "the column version stands twice"},
        {newer + ", tombstone: {a: \":at\", b: \":at\"}", "tombstone must be a column, or {column: value}"},
        {newer + ", tombstone: {a: null}", "null says that the row is not deleted: write tombstone: a"},
        {newer + ", tie: done", "'done' cannot be said here"},
        {newer + ", tie: refetch", "'refetch' is not an outcome"},
        {newer + ", stale: replace", "'replace' is not an outcome"},
        {newer + ", rwo: {a: b}", "rwo is not a known key"}};
    for (const auto& [upsert, says] : cases) {
        const auto report = read_effects(effect("a", upsert)).report;
        EXPECT_TRUE(report.contains(says)) << upsert << ":\n" << report;
    }
}

TEST(ReadUpsert, EffectsOfOneTableAgree) {
    const std::string first =
        "row: {email: \":email\"}, newer: [{version: \":version\"}, {at: \":at\"}], tombstone: gone";
    const auto both = [&](const std::string& other) {
        return read_effects(effect("a", first) + effect("b", other)).report;
    };
    EXPECT_EQ(both("row: {email: null}, newer: [{version: \":version\"}, {at: \":at\"}], tombstone: {gone: "
                   "\":at\"}"),
              "");
    const std::pair<std::string, std::string> cases[] = {
        {"newer: [{version: \":version\"}, {at: \":at\"}], tombstone: gone",
         "test.yaml:10: effect 'b': upsert into customer: written columns: (at, gone, version), and in "
         "effect 'a' "
         "(test.yaml:5) (at, email, gone, version): make them the same, or the order"},
        {"row: {email: x}, newer: [{at: \":at\"}, {version: \":version\"}], tombstone: gone",
         "newer: (at, version), and in effect 'a' (test.yaml:5) (version, at)"},
        {"row: {email: x}, newer: [{version: \":version\"}, {at: \":at\"}]",
         "tombstone: none, and in effect 'a'"},
        {first + ", tie: replace", "tie: replace, and in effect 'a' (test.yaml:5) ignore"},
        {first + ", tie: park:twice", "tie: park:twice, and in effect 'a' (test.yaml:5) ignore"}};
    for (const auto& [other, says] : cases) {
        const auto report = both(other);
        EXPECT_TRUE(report.contains(says)) << report;
    }
}

TEST(ReadUpsert, OtherKindsLeaveItsRowsAndColumnsAlone) {
    const auto beside = [&](const std::string& kind) {
        return read_effects(
                   "  - name: b\n    when: {type: b}\n    let: {id: /id, no: {pointer: /n, as: int64}}\n   "
                   " " +
                   kind + "\n" +
                   effect("a", "row: {email: \":email\"}, newer: {version: \":version\"}, tombstone: gone"))
            .report;
    };
    EXPECT_EQ(beside("set: {table: customer, key: {id: \":id\"}, row: {note: \":no\"}}"), "");
    EXPECT_EQ(beside("add: {table: customer, key: {id: \":id\"}, column: visits, by: \":no\"}"), "");
    EXPECT_EQ(beside("insert: {table: visitor, row: {id: \":id\", email: \":no\"}}"), "");
    const std::pair<std::string, std::string> cases[] = {
        {"set: {table: CUSTOMER, key: {id: \":id\"}, row: {note: \":no\", EMAIL: x}}",
         "test.yaml:5: effect 'b': set into CUSTOMER writes EMAIL, and so does the upsert of effect 'a' "
         "(test.yaml:9)"},
        {"set: {table: customer, key: {id: \":id\"}, row: {gone: \":no\"}}", "writes gone"},
        {"set: {table: customer, key: {id: \":id\"}, row: {id: \":no\"}}", "writes id"},
        {"add: {table: customer, key: {id: \":id\"}, column: version, by: \":no\"}", "writes version"},
        {"insert: {table: customer, row: {id: \":id\", note: \":no\"}}", "insert into customer makes rows"}};
    for (const auto& [kind, says] : cases) {
        const auto report = beside(kind);
        EXPECT_TRUE(report.contains(says)) << kind << ":\n" << report;
    }
}

}  // namespace
}  // namespace sluice::effects
