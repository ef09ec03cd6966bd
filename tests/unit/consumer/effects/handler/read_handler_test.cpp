#include "consumer/effects/handler/read_handler.hpp"

#include <gtest/gtest.h>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

Result<Handled> does_nothing(const HandlerEvent& /*event*/, HandlerTransaction& /*transaction*/) {
    return Handled{};
}

Handler handler(std::vector<Need> needs, std::vector<std::string_view> statements = {}, int version = 1) {
    return {.name = "give_codes",
            .version = version,
            .needs = std::move(needs),
            .statements = std::move(statements),
            .handle = does_nothing};
}

auto read(const std::string& tail, const Handler& handler, const webhook::SourceSet& all = sources(),
          const std::string& when = "{type: a}") {
    return read_with("effects:\n  - name: e\n    when: " + when + "\n" + tail,
                     [&](const config::Document& document, config::Problems& problems) {
                         return EffectSet::read(document, all, problems, {&handler, 1});
                     });
}

std::string report_of(const std::string& tail, const Handler& handler) {
    return read(tail, handler).report;
}

TEST(Handler, TakesLetFactsAndWhatEveryEventHas) {
    const auto needs =
        handler({{"codes", ParameterType::int64}, {"event_id"}, {"object", ParameterType::text, true}});
    EXPECT_EQ(report_of("    let: {codes: {pointer: /n, as: int64}}\n    handler: give_codes\n", needs), "");
    const auto facts = handler({{"reference"}, {"paid_at", ParameterType::time, true}});
    EXPECT_TRUE(read("    handler: give_codes\n", facts)
                    .report.contains(":reference is a fact of payments: set payment under when"));
}

TEST(Handler, GoesWithDecideAndSharesItsLet) {
    EXPECT_EQ(report_of("    let: {codes: /n, order: /o}\n    decide: {select: \"SELECT :order\"}\n"
                        "    handler: give_codes\n",
                        handler({{"codes"}})),
              "");
}

TEST(Handler, OfAnUnknownNameIsRefusedWithTheNearestAndThePlaceOfTheList) {
    const auto report = report_of("    handler: give_code\n", handler({}));
    EXPECT_EQ(report,
              "test.yaml:4: this build has no handler 'give_code' (they are registered in "
              "consumer/handlers/handlers.cpp); did you mean \"give_codes\"?");
    EXPECT_TRUE(report_of("    handler: refund\n", handler({})).contains("it has: give_codes"));
}

TEST(Handler, SaysWhatItsEffectLacks) {
    const std::vector<Need> needs{{"codes", ParameterType::int64}};
    const std::pair<const char*, const char*> cases[] = {
        {"    handler: give_codes\n",
         "test.yaml:4: handler 'give_codes' needs :codes, a whole number: :codes is not known: add it to "
         "let"},
        {"    let:\n      codes: /n\n    handler: give_codes\n",
         "test.yaml:5: :codes is a text, and handler 'give_codes' needs a whole number: use as: int64 or "
         "minor"},
        {"    let:\n      codes: {pointer: /n, as: int64, optional: true}\n    handler: give_codes\n",
         "test.yaml:5: :codes may be NULL, and handler 'give_codes' needs a value: use no optional"},
        {"    let:\n      codes: {pointer: /n, as: int64}\n      more: /m\n    handler: give_codes\n",
         "test.yaml:6: nothing uses :more"},
        {"    handler: [give_codes]\n", "test.yaml:4: effects[0].handler must"},
        {"    handler:\n", "has no kind"},
        {"    let: {codes: {pointer: /n, as: int64}}\n    handler: give_codes\n    sql: [{run: DELETE FROM "
         "t}]\n",
         "test.yaml:5: effect 'e' has handler and another kind: make it two effects"},
    };
    for (const auto& [tail, says] : cases) {
        const auto report = report_of(tail, handler(needs));
        EXPECT_TRUE(report.contains(says)) << tail << "\nreport: " << report;
    }
    EXPECT_TRUE(report_of("    handler: give_codes\n", handler({{"occurred_at", ParameterType::time}}))
                    .contains("test.yaml:4: :occurred_at may be NULL"));
}

TEST(Handler, SaysAMistakeOfLetOnce) {
    const auto report = report_of("    let: {codes: n}\n    handler: give_codes\n",
                                  handler({{"codes", ParameterType::int64}}));
    EXPECT_TRUE(report.contains("'n' is not a JSON pointer"));
    EXPECT_FALSE(report.contains("handler")) << report;
}

TEST(Handler, DeclaresOnlyStatementsThatNeverCommit) {
    for (const char* good : {"SELECT a FROM t WHERE b = ? FOR UPDATE", "UPDATE t SET a = ?", "DELETE FROM t;",
                             "INSERT INTO t VALUES ('?')", "WITH w AS (SELECT 1) SELECT * FROM w"})
        EXPECT_EQ(report_of("    handler: give_codes\n", handler({}, {good})), "") << good;
    for (const char* bad :
         {"COMMIT", "ROLLBACK", "CREATE TABLE t (a INT)", "ALTER TABLE t ADD b INT", "TRUNCATE t", "CALL p()",
          "SET autocommit = 1", "START TRANSACTION", "SELECT 1 INTO @a", "DELETE FROM t; COMMIT", "",
          "DELETE FROM t /*! ; COMMIT */", "LOCK TABLES t WRITE", "DELETE FROM `t"}) {
        const auto report = report_of("    handler: give_codes\n", handler({}, {"DELETE FROM t", bad}));
        EXPECT_TRUE(report.starts_with("test.yaml:4: handler 'give_codes', statement 2: ")) << bad << report;
    }
}

TEST(Handler, CountsTheValuesOfAStatement) {
    EXPECT_EQ(declared_statement("UPDATE t SET a = ?, b = '?' -- ?\n WHERE c = ?")->parameters, 2U);
    EXPECT_TRUE(declared_statement("SELECT 1")->is_select);
    EXPECT_FALSE(declared_statement("DELETE FROM t")->is_select);
}

TEST(Handler, ReadsNoBodyOfWhichOnlyFieldsAreSigned) {
    auto reads = handler({});
    reads.reads_body = true;
    auto all = sources();
    all.push_back(std::make_shared<webhook::Source>(
        webhook::Source{.name = "adyen",
                        .provider = "adyen",
                        .recipe = "adyen",
                        .principal = "shop",
                        .path = "/adyen",
                        .answers = {},
                        .signed_fields = {"/pspReference"},
                        .program = {nullptr, +[](const webhook::Program*) {}}}));
    const auto of = [&](const Handler& one, const std::string& when) {
        return read("    handler: give_codes\n", one, all, when).report;
    };
    EXPECT_TRUE(of(reads, "{type: a}").contains("signs only /pspReference"));
    EXPECT_EQ(of(reads, "{source: adyen, trust: fields}"), "");
    EXPECT_EQ(of(reads, "{source: stripe-eu}"), "");
    EXPECT_EQ(of(handler({}), "{source: adyen}"), "") << "it gets no body";
}

TEST(Handler, OfAnotherVersionHasAnotherDigest) {
    const auto digest = [](const Handler& one) {
        return read("    handler: give_codes\n", one).value.version().digest;
    };
    EXPECT_EQ(digest(handler({})), digest(handler({})));
    EXPECT_NE(digest(handler({})), digest(handler({}, {"DELETE FROM t"}))) << "whatever the version says";
    EXPECT_NE(digest(handler({}, {}, 1)), digest(handler({}, {}, 2)));
}

}  // namespace
}  // namespace sluice::effects
