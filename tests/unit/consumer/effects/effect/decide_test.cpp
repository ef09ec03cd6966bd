#include "consumer/effects/effect/decide.hpp"

#include <gtest/gtest.h>

#include "consumer/effects/effect/statement_kind.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

Verdict decision(const std::vector<store::Row>& rows, const Ending& none = {}) {
    const record::EventHeaders headers;
    return decision_of(rows, none, "pay-order", {{}, headers});
}

TEST(Decide, GoesOnOrNotAsTheFirstColumnSays) {
    EXPECT_EQ(decision({{"done"}}).outcome, Outcome::done);
    EXPECT_EQ(decision({{"ignore"}}).outcome, Outcome::ignore);
    EXPECT_EQ(decision({{"defer"}}).outcome, Outcome::defer);
    EXPECT_EQ(decision({{"retry"}}).outcome, Outcome::retry);
    const auto verdict = decision({{"park:paid_twice"}});
    EXPECT_EQ(verdict.outcome, Outcome::park);
    EXPECT_EQ(verdict.case_class, "paid_twice");
    EXPECT_EQ(verdict.effect, "pay-order");
    EXPECT_EQ(verdict.reason, "decide says park:paid_twice");
    EXPECT_FALSE(verdict.error);
}

TEST(Decide, TakesTheReasonFromTheSecondColumnWithoutControlCharacters) {
    EXPECT_EQ(decision({{"park:closed", "order O-17 is CLOSED\n"}}).reason, "order O-17 is CLOSED\\n");
    EXPECT_EQ(decision({{"defer", nullptr}}).reason, "decide says defer");
    EXPECT_EQ(decision({{"defer", std::string(2000, 'x')}}).reason.size(), 512U);
}

TEST(Decide, TakesNoneForNoRow) {
    EXPECT_EQ(decision({}, {.outcome = Outcome::defer}).outcome, Outcome::defer);
    const auto verdict = decision({}, {.outcome = Outcome::park, .case_class = "no_order"});
    EXPECT_EQ(verdict.case_class, "no_order");
    EXPECT_EQ(verdict.reason, "decide found no row");
}

TEST(Decide, IsAFailureOfTheEffectWhereItSaysNoOutcome) {
    const std::vector<store::Row> wrong[] = {
        {{nullptr}},         {{"finished"}},       {{"park:Paid Twice"}},     {{"park:data"}},
        {{std::int64_t{1}}}, {{"done"}, {"done"}}, {{"done", "why", "more"}},
    };
    for (const auto& rows : wrong) {
        const auto verdict = decision(rows);
        EXPECT_EQ(verdict.outcome, Outcome::park);
        EXPECT_TRUE(verdict.error) << verdict.reason;
        EXPECT_EQ(verdict.case_class, "");
    }
    EXPECT_EQ(decision({{nullptr}}).reason,
              "decide says NULL, which is no outcome: its CASE may need an ELSE");
}

TEST(Decide, IsOneSelectThatKeepsNothing) {
    for (const char* select : {"SELECT 'done' FROM t WHERE a = 1 FOR UPDATE", "select 1;",
                               "WITH w AS (SELECT 1) SELECT 'done' FROM w", "SELECT 'INTO' FROM t"})
        EXPECT_TRUE(single_select(select)) << select;
    for (const char* other : {"UPDATE t SET a = 1", "SELECT 1 INTO @a", "SELECT 1 INTO OUTFILE '/tmp/a'",
                              "SELECT 1; DELETE FROM t", "WITH w AS (SELECT 1) DELETE FROM w", "CALL p()", "",
                              "SET a = 1", "/*! SELECT 1 */"})
        EXPECT_FALSE(single_select(other)) << other;
}

std::string report_of(const std::string& tail) {
    return read_with("effects:\n  - name: e\n    when: {type: a}\n" + tail,
                     [](const config::Document& document, config::Problems& problems) {
                         return EffectSet::read(document, sources(), problems);
                     })
        .report;
}

TEST(Decide, SaysWhatIsWrongAndWhere) {
    const std::pair<const char*, const char*> cases[] = {
        {"    decide: {none: defer}\n", "select must be given"},
        {"    decide: {select: UPDATE t SET a = 1}\n",
         "test.yaml:4: decide can only be a SELECT without INTO, not UPDATE"},
        {"    decide: {select: SELECT 1 INTO @a}\n", "decide can only be a SELECT without INTO"},
        {"    decide: {select: \"SELECT :order\"}\n", ":order is not known: add it to let"},
        {"    decide: {select: SELECT 1, none: finished}\n", "'finished' is not an outcome"},
        {"    decide: {select: SELECT 1, else: defer}\n", "else is not a known key"},
        {"    decide: SELECT 1\n", "decide must be"},
        {"    let: {a: /a}\n    decide: {select: SELECT 1}\n", "test.yaml:4: nothing uses :a"},
    };
    for (const auto& [tail, says] : cases) {
        const auto report = report_of(tail);
        EXPECT_TRUE(report.contains(says)) << tail << "\nreport: " << report;
    }
}

TEST(Decide, SharesLetWithWhatItDecidesOn) {
    EXPECT_EQ(report_of("    let: {a: /a, b: /b}\n    decide: {select: \"SELECT :a\"}\n"
                        "    set: {table: t, key: {k: \":b\"}, row: {c: d}}\n"),
              "");
    EXPECT_EQ(report_of("    let: {a: /a}\n    decide: {select: \"SELECT :a\"}\n"), "");
}

}  // namespace
}  // namespace sluice::effects
