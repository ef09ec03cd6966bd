#include "consumer/effects/effect_set/effect_set.hpp"

#include <gtest/gtest.h>

#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

/// One effect whose tail (let, sql) is given.
auto read_one(const std::string& tail) {
    return read_effects("  - name: e\n    when: {type: a}\n" + tail);
}

constexpr auto credit =
    "  - name: credit\n"
    "    when: {source: stripe-eu, type: payment_intent.succeeded}\n"
    "    let:\n"
    "      customer: /data/object/customer\n"
    "      amount: {pointer: /data/object/amount, as: int64}\n"
    "    sql:\n"
    "      - run: UPDATE wallet SET balance = balance + :amount WHERE customer = :customer\n"
    "        rows: {1: done, 0: defer}\n"
    "      - run: INSERT INTO entry (event, customer, amount) VALUES (:event_id, :customer, :amount)\n";

TEST(EffectSet, ReadsTheOrdinaryOne) {
    const auto [set, report] = read_effects(credit);
    EXPECT_EQ(report, "");
    EXPECT_EQ(set.size(), 1U);
}

TEST(EffectSet, TakesARevisionThatLeavesHigherOnes) {
    const auto report_of = [](const std::string& revision) {
        return read_with("effects_revision: " + revision + "\n",
                         [](const config::Document& document, config::Problems& problems) {
                             return EffectSet::read(document, sources(), problems).version().revision;
                         })
            .report;
    };
    EXPECT_EQ(report_of("1"), "");
    EXPECT_EQ(report_of("9007199254740991"), "");
    for (const std::string too_high : {"9007199254740992", "9223372036854775807"})
        EXPECT_TRUE(
            report_of(too_high).starts_with("test.yaml:1: effects_revision must be at most 9007199254740991"))
            << report_of(too_high);
    EXPECT_FALSE(report_of("0").empty());
}

TEST(EffectSet, MayBeEmpty) {
    const auto [set, report] = read_effects("  []\n");
    EXPECT_EQ(report, "");
    EXPECT_EQ(set.size(), 0U);
    EXPECT_TRUE(set.matching({}).empty());
}

TEST(EffectSet, MatchesInTheOrderOfTheFile) {
    const std::string sql = "    sql: [{run: DELETE FROM t}]\n";
    const auto [set, report] = read_effects("  - name: one\n    when: {type: [a, b]}\n" + sql +
                                            "  - name: two\n    when: {type: b}\n" + sql +
                                            "  - name: three\n    when: {type: [b, a]}\n" + sql);
    EXPECT_EQ(report, "");
    record::EventHeaders headers;
    headers.type = "a";
    const auto matching = set.matching(headers);
    ASSERT_EQ(matching.size(), 2U);
    EXPECT_EQ(matching[0]->name(), "one");
    EXPECT_EQ(matching[1]->name(), "three");
    headers.type = "c";
    EXPECT_TRUE(set.matching(headers).empty());
}

struct Wrong {
    std::string tail;
    std::string says;
};

TEST(EffectSet, SaysWhatIsWrongWithAStatementAndWhere) {
    const Wrong cases[] = {
        {"    sql:\n      - run: INSERT INTO t VALUES (1)\n        rows: {0: done}\n",
         "test.yaml:6: this statement never matches 0 rows, but 1: a key that is there already is an error"},
        {"    sql:\n      - run: INSERT INTO t VALUES (1) ON DUPLICATE KEY UPDATE a = 1\n        rows: {1: "
         "done, 3: park}\n",
         "test.yaml:6: this statement never matches 3 rows, but 1 to 2"},
        {"    sql:\n      - run: REPLACE INTO t VALUES (1)\n        rows: {0: defer}\n",
         "test.yaml:6: this statement never matches 0 rows, but 1 or more"},
        {"    sql:\n      - run: INSERT INTO t VALUES (1), (2)\n",
         "test.yaml:5: this statement writes 2 rows, and without rows only 1 is done"},
        {"    sql:\n      - run: SELECT 1\n",
         "test.yaml:5: an effect can only be INSERT, UPDATE, DELETE or REPLACE"},
        {"    sql:\n      - run: COMMIT\n",
         "test.yaml:5: an effect can only be INSERT, UPDATE, DELETE or REPLACE, not COMMIT"},
        {"    sql:\n      - run: DELETE FROM t\n      - run: CREATE TABLE t (a INT)\n",
         "test.yaml:6: an effect can only be INSERT"},
        {"    sql:\n      - run: DELETE FROM t; DROP TABLE t\n",
         "test.yaml:5: each item must have one statement"},
        {"    sql:\n      - run: DELETE FROM t WHERE a = :a\n",
         "test.yaml:5: :a is not known: add it to let"},
        {"    sql:\n      - run: DELETE FROM t WHERE a = ?\n", "test.yaml:5: write parameters as :name"},
        {"    sql:\n      - run: \"DELETE FROM t WHERE a = 'b\"\n", "test.yaml:5: a quote ' is not closed"},
        {"    sql:\n      - run: DELETE FROM t\n        rows: {0: finished}\n",
         "test.yaml:6: 'finished' is not an outcome"},
        {"    sql:\n      - run: DELETE FROM t\n        row: {0: done}\n", "row is not a known key"},
        {"    sql:\n      - rows: {0: done}\n", "run must be given"},
        {"    sql: []\n", "sql must be a list of statements"},
        {"    sql: DELETE FROM t\n", "must be a list of mappings"},
        {"    let:\n      a: /a\n      b: /b\n    sql: [{run: 'DELETE FROM t WHERE a = :b'}]\n",
         "test.yaml:5: nothing uses :a"},
        {"    let:\n      a: a\n    sql: [{run: 'DELETE FROM t WHERE a = :a'}]\n",
         "test.yaml:5: 'a' is not a JSON pointer"},
        {"    let: {event_type: /type}\n    sql: [{run: DELETE FROM t}]\n", ":event_type is reserved"},
        {"", "effect 'e' has no kind"},
    };
    for (const auto& [tail, says] : cases) {
        const auto report = read_one(tail).report;
        EXPECT_TRUE(report.contains(says)) << tail << "\nreport: " << report;
    }
}

TEST(EffectSet, ReportsEveryProblemAtOnce) {
    const auto report =
        read_one(
            "    let: {a: a}\n    sql:\n      - run: SELECT 1\n      - run: DELETE FROM t WHERE b = :b\n")
            .report;
    EXPECT_TRUE(report.contains(":6: an effect") && report.contains(":7: :b") &&
                report.contains(":4: 'a' is not"))
        << report;
}

TEST(EffectSet, CallsNothingUnusedThatARefusedStatementMayUse) {
    const auto report = read_one("    let: {a: /a}\n    sql:\n      - run: SELECT :a\n").report;
    EXPECT_FALSE(report.contains("nothing uses")) << report;
}

TEST(EffectSet, WantsANameThatNobodyElseHas) {
    EXPECT_TRUE(read_effects("  - when: {type: a}\n    sql: [{run: DELETE FROM t}]\n")
                    .report.contains("name must be given"));
    EXPECT_TRUE(read_effects(std::string{credit} + credit)
                    .report.contains("test.yaml:11: there are two effects 'credit'"));
}

TEST(EffectSet, WantsNoMoreNamesThanALaneKeeps) {
    const auto many = [](int count) {
        std::string text;
        for (int i = 100; i < 100 + count; ++i) {
            const std::string name = std::to_string(i) + std::string(1000, 'n');
            text += "  - name: " + name + "\n    when: {type: a}\n    sql: [{run: DELETE FROM t}]\n";
        }
        return read_effects(text).report;
    };
    EXPECT_EQ(many(32), "");  // 32 of 1003 bytes, quotes, commas and brackets: 32,193
    EXPECT_TRUE(many(33).contains("take 33199 bytes, and MySQL keeps at most 32768: shorten them"))
        << many(33);
}

TEST(EffectSet, WantsAWhen) {
    EXPECT_TRUE(
        read_effects("  - name: e\n    sql: [{run: DELETE FROM t}]\n").report.contains("when is empty"));
}

TEST(EffectSet, NamesTheKindsWhereAKeyIsMistyped) {
    const auto report = read_one("    sqll: [{run: DELETE FROM t}]\n").report;
    EXPECT_TRUE(report.contains("give sql, insert, add, set, upsert, mirror, send, handler or decide"))
        << report;
    EXPECT_TRUE(report.contains("sqll is not a known key")) << report;
}

TEST(EffectSet, RefusesWhatIsNoListOfMappings) {
    EXPECT_TRUE(read_effects("  name: e\n").report.contains("effects must be a list"));
    EXPECT_TRUE(read_effects("  - e\n").report.contains("must be a mapping"));
}

/// What is wrong with one effect for some of these: Alipay's body is a form, and GitHub's events have no
/// time. `tail` begins on line 8.
std::string report_for(const std::string& when, const std::string& tail) {
    return read_with(
               "sources:\n"
               "  - {name: ali, recipe: alipay, principal: a, with: {kind: notify, app_id: a}}\n"
               "  - {name: git, recipe: github, principal: g}\n"
               "  - {name: shop, recipe: stripe, principal: s}\n"
               "effects:\n  - name: e\n    when: " +
                   when + "\n" + tail,
               [](const config::Document& document, config::Problems& problems) {
                   const auto all = webhook::read_sources_without_keys(document, problems);
                   return EffectSet::read(document, all, problems);
               })
        .report;
}

std::string report_of_forms(const std::string& when, const std::string& let) {
    return report_for(when, "    let: {x: " + let + "}\n    sql: [{run: 'INSERT INTO t VALUES (:x)'}]\n");
}

TEST(EffectSet, RefusesWhatAFormCanNeverSay) {
    EXPECT_TRUE(report_of_forms("{source: ali}", "{pointer: /refund, as: boolean}")
                    .contains("test.yaml:8: :x reads /refund as a boolean, and the body is a form"));
    EXPECT_TRUE(report_of_forms("{source: ali}", "[/total, /data/total]")
                    .contains("test.yaml:8: :x reads /data/total, and the body is a form, whose fields have "
                              "nothing below them: write /data"));
    EXPECT_TRUE(report_of_forms("{source: ali, body: {/data/total: '1'}}", "/total")
                    .contains("test.yaml:7: when.body reads /data/total, and the body is a form"));
    EXPECT_EQ(report_of_forms("{source: ali}", "{pointer: /total, as: int64}"), "");
    EXPECT_EQ(report_of_forms("{source: ali}", "{pointer: /refund, map: {'true': true}, as: boolean}"), "");
    EXPECT_EQ(report_of_forms("{source: [ali, shop]}", "[/total, /data/total]"), "");
    EXPECT_EQ(report_of_forms("{source: [ali, shop]}", "{pointer: /refund, as: boolean}"), "");
}

std::string report_of_newer(const std::string& when, const std::string& newer) {
    return report_for(when, "    mirror: {table: t, key: {id: /id}, newer: {at: " + newer + "}}\n");
}

TEST(EffectSet, RefusesATimeThatNoEventHasAsWhatIsNewer) {
    for (const auto* newer : {"':occurred_at'", "{event: occurred_at}"}) {
        const auto report = report_of_newer("{source: git, type: push, trust: type}", newer);
        EXPECT_TRUE(
            report.contains("test.yaml:8: effect 'e': at is :occurred_at, and no source that the effect is "
                            "for says when an event occurred: use a time or a version of the body"))
            << report;
        EXPECT_EQ(report_of_newer("{source: shop}", newer), "");
        EXPECT_EQ(report_of_newer("{source: [git, shop], type: push, trust: type}", newer), "");
    }
    EXPECT_EQ(report_of_newer("{source: git, type: push, trust: type}", "':received_at'"), "");
    EXPECT_EQ(report_of_newer("{source: git, type: push, trust: type}", "{pointer: /updated_at, as: time}"),
              "");
}

}  // namespace
}  // namespace sluice::effects
