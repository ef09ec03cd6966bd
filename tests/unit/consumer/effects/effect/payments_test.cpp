// Effects for payments: `when.payment`, and the facts that they have without a `let`.
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "consumer/effects/effect/second_look.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

constexpr auto shops =
    "sources:\n"
    "  - {name: ali, recipe: alipay, principal: a, with: {kind: notify, app_id: a}}\n"
    "  - {name: union, recipe: unionpay, principal: u, with: {mer_id: u, subject: u, trust: {file: "
    "none.pem}}}\n"
    "  - {name: git, recipe: github, principal: g}\n";

struct Shop {
    config::Problems problems;
    webhook::SourceSet sources;
    std::optional<EffectSet> set;

    /// An effect `pay` with this `when` and this rest.
    Shop(const std::string& when, const std::string& rest) {
        const auto document = config::Document::from_text(
            std::string{shops} + "effects:\n  - name: pay\n    when: " + when + "\n    " + rest + "\n",
            "test.yaml", problems);
        sources = webhook::read_sources_without_keys(document, problems);
        set.emplace(EffectSet::read(document, sources, problems));
    }

    [[nodiscard]] bool matches(const std::string& source, std::optional<std::string_view> payment) const {
        record::EventHeaders headers;
        headers.provider = source == "ali" ? "alipay" : "unionpay";
        headers.principal = source.substr(0, 1);
        return !set->matching(headers, {payment}).empty();
    }
};

const std::string insert =
    "insert: {table: t, row: {no: \":reference\", sum: \":amount\", at: \":paid_at\"}}";

TEST(Payments, AreMatchedByTheirKind) {
    const Shop shop{"{payment: [paid, authorized]}", insert};
    ASSERT_EQ(shop.problems.report(), "");
    EXPECT_TRUE(shop.matches("ali", "paid"));
    EXPECT_TRUE(shop.matches("union", "authorized"));
    EXPECT_FALSE(shop.matches("ali", "refunded"));
    EXPECT_FALSE(shop.matches("ali", "")) << "it tells of no payment";
    EXPECT_TRUE(shop.matches("ali", std::nullopt)) << "nobody knows: its run will say why";
}

TEST(Payments, AreOfTheSourcesThatAreNamed) {
    const Shop shop{"{source: ali, payment: paid}", insert};
    ASSERT_EQ(shop.problems.report(), "");
    EXPECT_TRUE(shop.matches("ali", "paid"));
    EXPECT_FALSE(shop.matches("union", "paid"));
}

TEST(Payments, OfAKindThatNobodyTellsOfAreRefused) {
    EXPECT_EQ((Shop{"{source: ali, payment: disputed}", insert}.problems.report()),
              "test.yaml:7: no source that the effect is for tells of payments that are \"disputed\": they "
              "tell of refunded, paid, closed");
    EXPECT_TRUE((Shop{"{payment: payed}", insert}.problems.report()).contains("they tell of"));
    EXPECT_TRUE((Shop{"{payment: []}", insert}.problems.report()).contains("payment is empty"));
    EXPECT_TRUE((Shop{"{source: git, payment: paid}", insert}.problems.report())
                    .contains("their recipes say nothing of payments"));
}

TEST(Payments, HaveFactsOnlyWhereTheyAreAskedFor) {
    const auto report =
        Shop{"{source: ali}", "insert: {table: t, row: {sum: \":amount\"}}"}.problems.report();
    EXPECT_EQ(report,
              "test.yaml:8: :amount is a fact of payments: set payment under when, or add amount to let");
    EXPECT_EQ((Shop{"{source: ali}",
                    "let: {amount: /total_amount}\n    insert: {table: t, row: {sum: \":amount\"}}"}
                   .problems.report()),
              "");
    EXPECT_EQ((Shop{"{payment: paid}", "sql: [{run: \"UPDATE t SET a = :amount WHERE b = :reference\"}]"}
                   .problems.report()),
              "");
    EXPECT_TRUE((Shop{"{payment: paid}", "sql: [{run: \"UPDATE t SET a = :amont\"}]"}.problems.report())
                    .contains(":amont is not known: did you mean :amount?"));
}

TEST(Payments, InQuotesAreTextWhichIsDoubted) {
    const auto warnings = [](const std::string& select) {
        const Shop shop{"{payment: paid}",
                        "decide:\n      select: \"" + select + "\"\n    sql: [{run: UPDATE t SET a = 1}]"};
        EXPECT_EQ(shop.problems.report(), "");
        return shop.problems.warnings();
    };
    EXPECT_EQ(warnings("SELECT 'done' FROM t WHERE no = ':reference'"),
              std::vector<std::string>{
                  "test.yaml:9: :reference in quotes is text, not the value: take it out of the quotes"});
    EXPECT_EQ(warnings("SELECT 'done', 'order :event_id' FROM t").size(), 1U);
    EXPECT_TRUE(warnings("SELECT 'park:refund', ':order' FROM t WHERE no = :reference").empty());
}

TEST(Payments, WithoutAFactThatTheEffectNeedsAreDoubted) {
    const auto warnings = [](const std::string& when, const std::string& rest) {
        const Shop shop{when, rest};
        EXPECT_EQ(shop.problems.report(), "");
        return shop.problems.warnings();
    };
    EXPECT_EQ(warnings("{source: union, payment: [paid, refunded]}", insert),
              (std::vector<std::string>{
                  "test.yaml:6: effect 'pay' uses :reference, which unionpay does not say of refunded: such "
                  "events park"}));
    EXPECT_EQ(
        warnings("{source: ali, payment: refunded}", insert),
        (std::vector<std::string>{
            "test.yaml:6: effect 'pay' uses :amount, which alipay does not say of refunded: such events "
            "park"}));
    EXPECT_TRUE(warnings("{source: ali, payment: paid}", insert).empty());
    EXPECT_TRUE(
        warnings("{source: ali, payment: refunded}",
                 "let: {part: {event: amount, optional: true}}\n    insert: {table: t, row: {a: \":part\"}}")
            .empty());
    EXPECT_TRUE(warnings("{type: a, payment: refunded}", insert).empty());
}

/// The one effect of `shop`, for an event of this kind.
std::string outcome_of(const Shop& shop, webhook::PaymentValue kind) {
    webhook::JsonView view;
    EXPECT_TRUE(view.read("{}"));
    webhook::Payment payment;
    payment[webhook::PaymentFact::kind] = std::move(kind);
    const auto verdict = verdict_without_run(*shop.set->all().front(), {view, &payment});
    return verdict ? std::string{name_of(verdict->outcome)} + " " + verdict->reason : "it is run";
}

TEST(Payments, AreNotAppliedUnderAnotherKindThanTheyAreOf) {
    const Shop shop{"{payment: paid}", "insert: {table: t, row: {no: \":event_id\"}}"};
    EXPECT_EQ(outcome_of(shop, {.value = "paid"}), "it is run");
    EXPECT_EQ(outcome_of(shop, {.value = "authorized"}), "ignore ") << "it was bound to the effect by name";
    EXPECT_EQ(outcome_of(shop, {.trouble = "nobody can tell"}), "park nobody can tell")
        << "though the effect uses no fact";
    webhook::JsonView view;
    EXPECT_EQ(verdict_without_run(*shop.set->all().front(), {view})->outcome, Outcome::ignore);
    const Shop other{"{source: ali}", "insert: {table: t, row: {no: \":event_id\"}}"};
    EXPECT_EQ(outcome_of(other, {.trouble = "nobody can tell"}), "it is run") << "it is not for payments";
}

TEST(SecondLook, ParksABodyThatDoesNotSayAndIgnoresWhatTheEffectIsNotFor) {
    const Shop shop{"{source: union, body: {/respCode: '00'}}",
                    "insert: {table: t, row: {no: \":event_id\"}}"};
    ASSERT_EQ(shop.problems.report(), "");
    const auto said = [&](const char* json) {
        webhook::JsonView view;
        EXPECT_TRUE(view.read(json));
        const auto verdict = verdict_without_run(*shop.set->all().front(), {view});
        return verdict ? std::string{name_of(verdict->outcome)} + " " + verdict->reason : "it is run";
    };
    EXPECT_EQ(said(R"({"respCode": "00"})"), "it is run");
    EXPECT_EQ(said(R"({"respCode": "05"})"), "ignore ");
    EXPECT_EQ(said(R"({"respCode": "05", "respCode": "00"})"),
              "park when.body: /respCode: " + make_error_code(errc::duplicate_key).message());
}

TEST(Payments, SayWhyAFactCannotBeRead) {
    webhook::JsonView view;
    ASSERT_TRUE(view.read("{}"));
    webhook::Payment payment;
    payment[webhook::PaymentFact::amount].trouble = "/total_amount is \"8,8\", which is no number";
    payment[webhook::PaymentFact::reference].value = "O-1";
    const record::EventHeaders headers;
    const EventView event{headers, {view, &payment}};
    std::pmr::monotonic_buffer_resource made;
    const auto value = [&](const Parameter& of) { return value_of(of, event, made); };
    const Shop shop{"{payment: paid}", insert};
    const auto let = shop.set->all().front()->let();
    EXPECT_EQ(std::get<std::string_view>(value(let[0]).value()), "O-1");
    ASSERT_FALSE(value(let[1]));
    EXPECT_EQ(value(let[1]).error().why, ":amount: /total_amount is \"8,8\", which is no number");
    EXPECT_TRUE(value(let[1]).error().quotes_event);
    EXPECT_EQ(value(let[2]).value(), store::Datum{nullptr}) << "it does not say when";
    payment[webhook::PaymentFact::reference] = {};
    ASSERT_FALSE(value(let[0])) << "a key that is NULL finds no row for ever";
    EXPECT_EQ(value(let[0]).error().why, ":reference: the event does not say it");
    EXPECT_EQ(value_of(let[1], {headers, {view}}, made).error().why,
              ":amount: the event says nothing of a payment");
}

}  // namespace
}  // namespace sluice::effects
