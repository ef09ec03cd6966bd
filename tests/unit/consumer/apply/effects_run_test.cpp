#include "consumer/apply/effects_run.hpp"

#include <gtest/gtest.h>

#include "common/error.hpp"
#include "consumer/apply/effect_holds.hpp"
#include "consumer/apply/payment_said.hpp"
#include "consumer/lane/run/stored_event.hpp"
#include "tests/unit/common/webhook/fixture.hpp"
#include "tests/unit/consumer/apply/fake_process.hpp"
#include "tests/unit/consumer/apply/no_session.hpp"

namespace sluice::consumer {
namespace {

using effects::Outcome;

Item event_with_body(std::string_view body, const std::string& provider = "stripe",
                     const std::string& principal = "acct_main") {
    Item item;
    item.event.provider = provider;
    item.event.principal = principal;
    item.record.value = body;
    return item;
}

std::optional<Setback> setback_of_run(const std::expected<void, Setback>& run) {
    return run ? std::nullopt : std::optional{run.error()};
}

std::optional<Setback> setback_after(Outcome outcome, std::error_code error = {},
                                     const std::string& effect = "credit") {
    const NoSession session;
    return setback_of_run(
        setback_of({.outcome = outcome, .error = error, .effect = effect, .reason = "no such wallet"},
                   session.connection));
}

TEST(SourceUnknown, WaitsForAProcessThatKnowsIt) {
    const Setback setback = source_unknown(event_with_body("{}", "adyen", "shop_7"));
    EXPECT_EQ(setback.outcome, Outcome::retry);
    EXPECT_EQ(setback.own_class, source_unknown_class);
    EXPECT_EQ(setback.database, std::nullopt);
    EXPECT_TRUE(setback.effect.empty());
    EXPECT_TRUE(setback.reason.contains("adyen") && setback.reason.contains("shop_7"));
}

TEST(SetbackOf, WhatIsDoneOrIgnoredIsNone) {
    EXPECT_FALSE(setback_after(Outcome::done));
    EXPECT_FALSE(setback_after(Outcome::ignore));
}

TEST(SetbackOf, AnyOtherOutcomeIsKeptWithItsEffectAndReason) {
    for (const Outcome outcome : {Outcome::defer, Outcome::retry, Outcome::park}) {
        const auto setback = setback_after(outcome);
        ASSERT_TRUE(setback) << name_of(outcome);
        EXPECT_EQ(setback->outcome, outcome);
        EXPECT_EQ(setback->effect, "credit");
        EXPECT_TRUE(setback->reason.contains("no such wallet"));
        EXPECT_EQ(setback->database, std::nullopt) << "no statement failed";
        EXPECT_TRUE(setback->own_class.empty() && !setback->of_effects);
    }
    EXPECT_TRUE(setback_after(Outcome::park, {}, "")->effect.empty()) << "none of them decided";
}

TEST(SetbackOf, AParameterThatCannotBeReadIsAnOutcomeAndNoStatement) {
    const auto setback = setback_after(Outcome::park, errc::missing_pointer);
    ASSERT_TRUE(setback);
    EXPECT_EQ(setback->outcome, Outcome::park);
    EXPECT_EQ(setback->database, std::nullopt);
}

TEST(SetbackOf, AStatementThatFailedIsTheEffects) {
    const auto setback = setback_after(Outcome::park, store::make_error(1406, "HY000"));
    ASSERT_TRUE(setback);
    EXPECT_EQ(setback->database, store::ErrorClass::data);
    EXPECT_EQ(setback->effect, "credit");
    EXPECT_TRUE(setback->of_effects);
}

/// Runs an event up to the first statement that it would send.
class EffectsRunTest : public testing::Test {
protected:
    [[nodiscard]] std::optional<Setback> read(std::string_view body, const std::string& provider,
                                              const std::string& principal = "acct_main") {
        return setback_of_run(EffectsRun{rules_}.read_body(event_with_body(body, provider, principal)));
    }
    [[nodiscard]] std::optional<Setback> run(const Item& item,
                                             std::span<const effects::Effect* const> effects) {
        return setback_of_run(EffectsRun{rules_}.run(item, effects, session_.connection));
    }
    [[nodiscard]] effects::RecordPlace place_seen(const Item& item) {
        EffectsRun run{rules_};
        EXPECT_TRUE(run.read_body(item));
        EXPECT_EQ(run.body().bytes, item.record.value);
        return run.body().at;
    }
    void credit_is_held() { holds_.lacks("credit", "no such table"); }

    FakeProcess process_;
    EffectHolds holds_{process_.clock, process_.log(), process_.metrics, process_.readiness};
    const effects::EffectSet set_ = effects_named({"credit"});
    const std::vector<const effects::Effect*> credit_{set_.find("credit")};

private:
    const webhook::test::Configured configured_ = webhook::test::stripe();
    const config::KafkaSettings kafka_ = [] {
        config::KafkaSettings kafka;
        kafka.topic = "payments.webhooks.v1";
        return kafka;
    }();
    const Rules rules_{.effects = set_,
                       .sources = configured_.sources,
                       .kafka = kafka_,
                       .retry_topics = {},
                       .holds = &holds_};
    NoSession session_;
};

TEST_F(EffectsRunTest, TellsEffectsWhereTheRecordLies) {
    Item item = event_with_body("{\"id\": \"evt_1\"}");
    item.record.at = {7, 42, 0};
    EXPECT_EQ(place_seen(item).topic, "payments.webhooks.v1");
    EXPECT_EQ(std::pair(place_seen(item).partition, place_seen(item).offset), std::pair(7, 42L));
    item.record.at.offset = -1;
    EXPECT_TRUE(place_seen(item).topic.empty()) << "a trial has none";
    Item stored =
        stored_event({.topic = "older", .partition = 1, .offset = 2, .headers = {}, .body = "{}"}, "k");
    stored.event = item.event;
    EXPECT_EQ(place_seen(stored).topic, "older") << "the topic was another one then";
}

TEST_F(EffectsRunTest, ABodyThatItsRecipeReadsIsNoSetback) {
    EXPECT_FALSE(read("{\"id\": \"evt_1\"}", "stripe"));
    EXPECT_FALSE(read("{}", "stripe", "acct_removed")) << "by another source of the provider";
}

TEST_F(EffectsRunTest, ABodyThatCannotBeReadIsParked) {
    for (const auto& setback : {read("{\"id\": ", "stripe"), read("{}", "adyen")}) {
        ASSERT_TRUE(setback);
        EXPECT_EQ(setback->outcome, Outcome::park);
        EXPECT_EQ(setback->own_class, "unreadable");
        EXPECT_EQ(setback->database, std::nullopt);
        EXPECT_TRUE(setback->effect.empty());
    }
    EXPECT_TRUE(read("{}", "adyen")->reason.contains("adyen"));
}

TEST_F(EffectsRunTest, OfAnUnknownSourceNothingIsRead) {
    EXPECT_EQ(run(event_with_body("{", "stripe", "acct_other"), credit_)->own_class, source_unknown_class);
    EXPECT_EQ(run(event_with_body("{", "adyen"), {})->own_class, source_unknown_class) << "never ignored";
}

TEST_F(EffectsRunTest, AnEventThatNoEffectWantsNeedsNoBody) {
    EXPECT_FALSE(run(event_with_body("{"), {}));
}

TEST_F(EffectsRunTest, OneThatEndedItsSessionTooOftenIsNotRun) {
    Item item = event_with_body("{}");
    item.failures.troubled = {.times = 3, .effect = "credit", .is_cause = true};
    EXPECT_TRUE(run(item, credit_)->was_not_run);
}

TEST_F(EffectsRunTest, OneOfAHeldEffectIsNotRun) {
    credit_is_held();
    EXPECT_TRUE(run(event_with_body("{}"), credit_)->is_held);
}

TEST_F(EffectsRunTest, OneThatCannotRunIsNotTheOneThatIsLetThrough) {
    credit_is_held();
    process_.clock.advance(std::chrono::seconds{1});
    EXPECT_EQ(run(event_with_body("{"), credit_)->own_class, "unreadable");
    EXPECT_FALSE(holds_.not_admitted(credit_)) << "it is still to come";
}

/// One effect for paid payments of Stripe.
struct Paid {
    config::Problems problems;
    webhook::SourceSet sources;
    std::optional<effects::EffectSet> effects;
    config::KafkaSettings kafka;

    Paid() {
        const auto document = config::Document::from_text(
            "sources: [{name: shop, recipe: stripe, principal: acct_main}]\n"
            "effects: [{name: pay, when: {payment: paid}, insert: {table: t, row: {no: ':amount'}}}]\n",
            "test.yaml", problems);
        sources = webhook::read_sources_without_keys(document, problems);
        effects.emplace(effects::EffectSet::read(document, sources, problems));
    }

    [[nodiscard]] Rules rules() const {
        return {.effects = *effects, .sources = sources, .kafka = kafka, .retry_topics = {}};
    }
    [[nodiscard]] std::size_t matching(std::string_view body,
                                       const std::string& principal = "acct_main") const {
        return effects_for(event_with_body(body, "stripe", principal), rules()).size();
    }
};

constexpr auto paid =
    R"({"type": "payment_intent.succeeded", "data": {"object": {"amount_received": 5, "currency": "isk"}}})";

TEST(EffectsFor, AreThoseOfTheKindOfPayment) {
    const Paid shop;
    ASSERT_EQ(shop.problems.report(), "");
    EXPECT_EQ(shop.matching(paid), 1U);
    EXPECT_EQ(shop.matching(R"({"type": "payment_intent.canceled"})"), 0U);
    EXPECT_EQ(shop.matching(R"({"type": "customer.updated"})"), 0U);
}

TEST(EffectsFor, AreThoseWhoseTestsOfTheBodyHold) {
    config::Problems problems;
    const auto document = config::Document::from_text(
        "sources: [{name: shop, recipe: stripe, principal: acct_main}]\n"
        "effects: [{name: book, when: {provider: stripe, body: {/data/mode: [live, real]}}, insert: {table: "
        "t, row: "
        "{no: ':event_id'}}}]\n",
        "test.yaml", problems);
    const auto shops = webhook::read_sources_without_keys(document, problems);
    const auto set = effects::EffectSet::read(document, shops, problems);
    ASSERT_EQ(problems.report(), "");
    const config::KafkaSettings kafka;
    const Rules rules{.effects = set, .sources = shops, .kafka = kafka, .retry_topics = {}};
    const auto matching = [&](std::string_view body) {
        return effects_for(event_with_body(body, "stripe", "acct_main"), rules).size();
    };
    EXPECT_EQ(matching(R"({"data": {"mode": "real"}})"), 1U);
    EXPECT_EQ(matching(R"({"data": {"mode": "test"}})"), 0U);
    EXPECT_EQ(matching("{}"), 0U);
    EXPECT_EQ(matching("{"), 1U) << "it would be ignored for ever";
    EXPECT_EQ(matching(R"({"data": {"mode": "test", "mode": "test"}})"), 1U);
    const Item item = event_with_body(R"({"data": {"mode": "test"}})", "stripe", "acct_main");
    EXPECT_EQ(effects_for(item, rules, R"({"data": {"mode": "live"}})").size(), 1U) << "of an edited body";
}

TEST(EffectsFor, AreTestedByTheirBodiesAlsoWhereThePaymentIsKnown) {
    config::Problems problems;
    const auto document = config::Document::from_text(
        "sources: [{name: shop, recipe: stripe, principal: acct_main}]\n"
        "effects: [{name: book, when: {payment: paid, body: {/mode: live}}, insert: {table: t, row: {no: "
        "':event_id'}}}]\n",
        "test.yaml", problems);
    const auto shops = webhook::read_sources_without_keys(document, problems);
    const auto set = effects::EffectSet::read(document, shops, problems);
    ASSERT_EQ(problems.report(), "");
    const config::KafkaSettings kafka;
    const Rules rules{.effects = set, .sources = shops, .kafka = kafka, .retry_topics = {}};
    const auto matching = [&](std::string_view body) {
        Item item = event_with_body(body, "stripe", "acct_main");
        item.decoded = true;
        note_payment(item, shops);
        EXPECT_EQ(item.payment.value().kind, "paid");
        return effects_for(item, rules).size();
    };
    EXPECT_EQ(matching(R"({"type": "payment_intent.succeeded", "mode": "live"})"), 1U);
    EXPECT_EQ(matching(R"({"type": "payment_intent.succeeded", "mode": "test"})"), 0U);
}

TEST(EffectsFor, AreAllWhereNobodyCanTellTheKind) {
    const Paid shop;
    EXPECT_EQ(shop.matching("{"), 1U) << "it would be ignored for ever";
    EXPECT_EQ(shop.matching(R"({"type": "payment_intent.succeeded", "type": "customer.updated"})"), 1U);
}

constexpr auto ordered = R"({"type": "payment_intent.succeeded",
    "data": {"object": {"id": "pi_1", "metadata": {"order_id": "O-17"}}}})";
constexpr auto canceled = R"({"type": "payment_intent.canceled",
    "data": {"object": {"id": "pi_1", "metadata": {"order_id": "O-18"}}}})";

TEST(PaymentSaid, IsTheKindWithBothNumbersFromOneReading) {
    const Paid shop;
    Item item = event_with_body(ordered, "stripe", "acct_main");
    item.decoded = true;
    note_payment(item, shop.sources);
    ASSERT_TRUE(item.payment);
    EXPECT_EQ(item.payment->kind, "paid");
    EXPECT_EQ(item.payment->reference + " " + item.payment->transaction, "O-17 pi_1");
    EXPECT_EQ(effects_for(item, shop.rules()).size(), 1U);
    EXPECT_EQ(effects_for(item, shop.rules(), canceled).size(), 0U) << "an edited body speaks for itself";
    const auto entry = inbox_entry(item, shop.rules(), store::InboxStatus::done, std::nullopt);
    EXPECT_EQ(entry.reference, "O-17");
    EXPECT_EQ(entry.transaction, "pi_1");
}

TEST(PaymentSaid, IsNothingWhereNobodyCanTell) {
    const Paid shop;
    for (const auto* body : {"{", R"({"type": "payment_intent.succeeded", "type": "customer.updated"})"}) {
        Item item = event_with_body(body, "stripe", "acct_main");
        item.decoded = true;
        note_payment(item, shop.sources);
        EXPECT_EQ(item.payment.value().kind, std::nullopt) << body;
        EXPECT_EQ(effects_for(item, shop.rules()).size(), 1U) << "it would be ignored for ever";
        EXPECT_EQ(inbox_entry(item, shop.rules(), store::InboxStatus::dead, std::nullopt).reference, "");
    }
    const auto no_payment = payment_said(event_with_body("{}", "stripe", "acct_main"), shop.sources,
                                         R"({"type": "customer.updated"})");
    EXPECT_EQ(no_payment.kind, "");
    const auto unknown = payment_said(event_with_body(ordered, "nobody", "acct_main"), shop.sources, ordered);
    EXPECT_EQ(unknown.kind, std::nullopt);
    EXPECT_EQ(unknown.reference, "");
}

TEST(EffectsRun, HasThePaymentWithWhatCannotBeReadOfIt) {
    const Paid shop;
    const Rules rules = shop.rules();
    EffectsRun run{rules};
    const auto trouble = [&](std::string_view body) {
        EXPECT_TRUE(run.read_body(event_with_body(body)));
        const webhook::Payment* payment = run.body().payment;
        return payment == nullptr ? "no payment" : (*payment)[webhook::PaymentFact::amount].trouble;
    };
    EXPECT_EQ(trouble(paid),
              R"(/data/object/amount_received is "5", which is no whole number of minor units of ISK)");
    EXPECT_TRUE(trouble(R"({"type": "payment_intent.succeeded", "type": "customer.updated"})")
                    .starts_with("the kind of payment cannot be told: "));
    EXPECT_EQ(trouble(R"({"type": "customer.updated"})"), "no payment")
        << "nothing is left of the one before";
}

TEST(EffectsRun, HasTheHeadersOfItsRecordAndSaysWhatItQuotes) {
    const Paid shop;
    const Rules rules = shop.rules();
    EffectsRun run{rules};
    Item item = event_with_body(paid);
    item.record.headers = {{"http-x-id", "42"}};
    ASSERT_TRUE(run.read_body(item));
    ASSERT_EQ(run.body().headers.size(), 1U);
    EXPECT_EQ(run.body().headers.front().value, "42");

    std::pmr::monotonic_buffer_resource made;
    std::vector<store::Datum> values;
    const auto verdict = shop.effects->find("pay")->evaluate({item.event, run.body()}, values, made);
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(verdict->quotes_event) << "whoever asks for readiness must not see it: " << verdict->reason;
}

/// A payment that WeChat Pay has sealed in the `resource`; opened by an operator in `decrypted`.
constexpr auto opened_by_hand =
    R"({"event_type": "TRANSACTION.SUCCESS", "resource": {"ciphertext": "c2VhbGVk"},
    "decrypted": {"trade_state": "SUCCESS", "out_trade_no": "O-17", "transaction_id": "4200"}})";

TEST(EditedBody, HasItsEncryptedPartOpenedAndABodyFromOutsideHasNot) {
    ::setenv("SLUICE_TEST_API_V3", "0123456789abcdefGHIJKLMNOPQRSTUV", 1);
    config::Problems problems;
    const auto document = config::Document::from_text(
        "sources: [{name: w, principal: w, recipe: wechat-pay, with: {api_v3_key: {env: "
        "SLUICE_TEST_API_V3}}}]\n"
        "effects: [{name: pay, when: {payment: paid}, insert: {table: t, row: {no: ':reference'}}}, {name: "
        "book, "
        "when: {source: w, body: {/decrypted/trade_state: CLOSED}}, insert: {table: t, row: {no: "
        "':event_id'}}}]\n",
        "test.yaml", problems);
    const auto sources = webhook::read_sources_without_keys(document, problems);
    const auto effects = effects::EffectSet::read(document, sources, problems);
    ASSERT_EQ(problems.report(), "");
    const config::KafkaSettings kafka;
    const Rules rules{.effects = effects, .sources = sources, .kafka = kafka, .retry_topics = {}};
    EffectsRun run{rules};
    Item item = event_with_body(opened_by_hand, "wechat-pay", "w");
    EXPECT_FALSE(run.read_body(item)) << "whoever sends it would decide what was paid";
    EXPECT_EQ(payment_said(item, sources).kind, std::nullopt);
    EXPECT_EQ(payment_said(item, sources, opened_by_hand).reference, "O-17");
    item.edited = true;
    EXPECT_TRUE(run.read_body(item));
    EXPECT_EQ(payment_said(item, sources).transaction, "4200");
    EXPECT_EQ(effects_for(item, rules).size(), 1U) << "it is not closed";
    EXPECT_EQ(effects_for(item, rules, opened_by_hand).size(), 1U);
}

}  // namespace
}  // namespace sluice::consumer
