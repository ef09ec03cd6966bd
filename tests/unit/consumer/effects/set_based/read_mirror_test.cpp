#include <gtest/gtest.h>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/effects/set_based/change_effect.hpp"
#include "consumer/effects/set_based/table_wish.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

/// `rest`: what stands beside the table; on line 4 of the file.
std::string mirror(const std::string& rest, const std::string& when = "{type: [made, gone]}") {
    return "  - name: keep\n    when: " + when + "\n    mirror: {table: thing, " + rest + "}\n";
}

const std::string key = "key: {id: /id}";
const std::string newer = ", newer: {version: {pointer: /v, as: int64}}";

const Upsert& upsert_in(const EffectSet& set) {
    return std::get<Upsert>(set.all().front()->set_based()->changes().front().what);
}

const Parameter& parameter_of(const EffectSet& set, const std::string& column) {
    const auto& upsert = upsert_in(set);
    auto cells = upsert.key;
    cells.insert(cells.end(), upsert.row.begin(), upsert.row.end());
    const auto cell = std::ranges::find(cells, column, &Cell::column);
    return set.all().front()->let()[cell->value.parameter];
}

std::string wish_in(const EffectSet& set) {
    std::string text;
    for (const auto& column : upsert_in(set).wish->columns)
        text += column.name + " " + column.type + (column.nullable ? "" : "!") + ", ";
    return text;
}

TEST(ReadMirror, IsAnUpsertThatSaysWhereItsValuesAre) {
    const auto [set, report] = read_effects(
        mirror(key + ", columns: {email: /email, size: {pointer: [/s, /size], as: int64, default: 0}}" +
               newer + ", tie: replace, stale: park:late"));
    ASSERT_EQ(report, "");
    const auto& upsert = upsert_in(set);
    EXPECT_EQ(upsert.key.at(0).column, "id");
    EXPECT_TRUE(upsert.replaces_ties);
    EXPECT_EQ(upsert.stale.case_class, "late");
    EXPECT_FALSE(parameter_of(set, "id").optional);
    EXPECT_TRUE(parameter_of(set, "email").optional);
    EXPECT_FALSE(parameter_of(set, "size").optional) << "it has a default";
    EXPECT_FALSE(parameter_of(set, "version").optional);
    EXPECT_EQ(parameter_of(set, "size").from.size(), 2U);
    EXPECT_EQ(set.all().front()->set_based()->changes().front().kind(), "mirror");
}

TEST(ReadMirror, KnowsWhatItsTableIsLike) {
    const auto [set, report] = read_effects(
        mirror("key: {id: /id, no: {pointer: /no, as: int64}}, columns: {a: /a, b: {pointer: /b, type: "
               "VARCHAR(64)}, c: {pointer: /c, as: boolean}, d: {pointer: /d, as: time}, e: {pointer: \"\", "
               "as: json}, f: {pointer: /f, as: hex}, g: {pointer: /g, as: decimal, scale: 2}, h: "
               "\":received_at\"}, newer: [{v: {pointer: /v, as: time}}, {w: \":event_id\"}], tombstone: "
               "{gone_at: {event: occurred_at}}, deleted_by: gone"));
    ASSERT_EQ(report, "");
    EXPECT_EQ(
        wish_in(set),
        "id VARCHAR(255)!, no BIGINT!, a TEXT, b VARCHAR(64), c BOOLEAN, d DATETIME(6), e LONGTEXT, f BLOB, "
        "g DECIMAL(38,2), gone_at DATETIME(6), h DATETIME(6), v DATETIME(6)!, w VARBINARY(255)!, ");
}

TEST(ReadMirror, DeletesByType) {
    const auto [set, report] = read_effects(
        mirror(key + newer + ", tombstone: {gone_at: {pointer: /at, as: time}}, deleted_by: gone"));
    ASSERT_EQ(report, "");
    EXPECT_TRUE(upsert_in(set).is_deleted_by_type);
    EXPECT_EQ(parameter_of(set, "gone_at").only_types, std::vector<std::string>{"gone"});
    EXPECT_TRUE(parameter_of(set, "id").only_types.empty());
}

TEST(ReadMirror, SaysWhatIsWrongAndWhere) {
    const std::string gone = newer + ", tombstone: {gone_at: {pointer: /at, as: time}}";
    const std::pair<std::string, std::string> cases[] = {
        {key, "newer is missing"},
        {"key: {id: id}" + newer, "test.yaml:4: 'id' is not a JSON pointer: it must start with /"},
        {key + ", columns: {a: \"\"}" + newer, "'' is not a JSON pointer"},
        {key + ", columns: {a: null}" + newer, "is not a JSON pointer"},
        {key + ", columns: {a: \":size\"}" + newer, ":size is not known: add it to let"},
        {key + ", columns: {a: {pointer: /a, type: \"INT; DROP\"}}" + newer,
         "'INT; DROP' is no type of a column, such as VARCHAR(64)"},
        {key + ", columns: {id: /a}" + newer, "the column id stands twice"},
        {key + ", columns: {a: {pointer: \"\"}}" + newer, "only the JSON can be read: set as: json"},
        {key + ", row: {a: /a}" + newer, "row is not a known key"},
        {key + ", newer: {version: {pointer: /v, as: int64, optional: true}}",
         "a value of newer is an optional parameter"},
        {key + newer + ", tombstone: gone_at, deleted_by: gone",
         "deleted_by needs tombstone: {column: place}"},
        {key + newer + ", deleted_by: gone", "deleted_by needs tombstone: {column: place}"},
        {key + newer + ", tombstone: {gone_at: \":occurred_at\"}, deleted_by: gone",
         "deleted_by needs tombstone: {column: place}"},
        {key + newer + ", tombstone: {gone_at: {pointer: /at, as: time, optional: true}}, deleted_by: gone",
         "the value of tombstone is optional: without it the event would delete nothing"},
        {key + gone + ", deleted_by: other",
         "list in when.type, too, what deleted_by names: nothing else tells a misspelt type"},
        {key + gone, "each event would delete its object: name the types that do, in deleted_by"},
        {key + ", columns: {a: [{pointer: /a, as: decimal, scale: 2}, /b]}" + newer,
         "all places of the column a must be read with one as"},
        {"key: {id: {pointer: /id, type: BLOB}}" + newer,
         "the type of the key id must be VARCHAR(n) or VARBINARY(n)"},
        {"key: {id: {pointer: /id, as: int64, type: VARCHAR(64)}}" + newer,
         "the type of the key id must be VARCHAR(n) or VARBINARY(n), and the key text"},
        {"key: {id: {pointer: /id, as: json}}" + newer, "the key id must be read as: text or as: int64"},
        {key + ", newer: {v: {pointer: /v, as: int64, type: INT}}", "a column of newer takes no type"},
        {key + ", newer: {v: {pointer: /v, as: json}}", "a value of newer is read as: json"},
        {key + gone + ", deleted_by: \"gon*\"", "'gon*': deleted_by takes whole types, without *"},
        {key + gone + ", deleted_by: []", "deleted_by must be a type of events, or a list of them"}};
    for (const auto& [rest, says] : cases) {
        const auto report = read_effects(mirror(rest)).report;
        EXPECT_TRUE(report.contains(says)) << rest << ":\n" << report;
    }
    const auto report = read_effects(
                            "  - name: a\n    when: {type: a}\n    let: {b: {pointer: /b, type: INT}}\n    "
                            "insert: {table: t, row: {b: \":b\"}}\n")
                            .report;
    EXPECT_TRUE(report.contains("type is for the columns of a mirror")) << report;
}

TEST(ReadMirror, ADecimalColumnTakesTheDigitsOfAllPlaces) {
    const auto wish_of_amount = [](const std::string& places) {
        const auto [set, report] = read_effects(mirror(key + ", columns: {amount: " + places + "}" + newer));
        EXPECT_EQ(report, "");
        return wish_in(set);
    };
    EXPECT_TRUE(wish_of_amount("[{pointer: /a, as: decimal, scale: 2}, {pointer: /b, as: decimal, scale: 5}]")
                    .contains("amount DECIMAL(38,5)"));
    EXPECT_TRUE(wish_of_amount("[{pointer: /a, as: decimal, currency: JPY}, {pointer: /b, as: decimal, "
                               "currency: /c}]")
                    .contains("amount DECIMAL(38,4)"))
        << "no currency has more";
}

TEST(ReadMirror, AnEffectOfOneTypeDeletesWithoutDeletedBy) {
    const auto [set, report] = read_effects(
        mirror(key + newer + ", tombstone: {gone_at: {pointer: /at, as: time}}", "{type: gone}"));
    EXPECT_EQ(report, "");
    EXPECT_FALSE(upsert_in(set).is_deleted_by_type);
    EXPECT_TRUE(read_effects(mirror(key + newer + ", tombstone: {gone_at: {pointer: /at, as: time}}",
                                    "{type: \"gone.*\"}"))
                    .report.contains("each event would delete its object"));
}

TEST(ReadMirror, EffectsOfOneTableWantTheSameTypes) {
    const auto second = [](const std::string& type) {
        return "  - name: again\n    when: {type: other}\n    mirror: {table: thing, " + key +
               ", columns: {a: {pointer: /a, type: " + type + "}}" + newer + "}\n";
    };
    const auto first = mirror(key + ", columns: {a: {pointer: /a, type: VARCHAR(64)}}" + newer);
    EXPECT_EQ(read_effects(first + second("VARCHAR(64)")).report, "");
    const auto report = read_effects(first + second("VARCHAR(65)")).report;
    EXPECT_TRUE(
        report.contains("effect 'again': mirror into thing: types of columns: id VARCHAR(255), a "
                        "VARCHAR(65), version BIGINT, and in effect 'keep'"))
        << report;
}

}  // namespace
}  // namespace sluice::effects
