// `body: payment_event`: what is in the message, field by field.
#include "proto/payment_event.pb.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include <google/protobuf/util/time_util.h>
#include <gtest/gtest.h>

#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/time_text.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "common/webhook/source_file/payment_settings.hpp"
#include "consumer/effects/send/read_send.hpp"
#include "consumer/store/outbox/body_form.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

using Json = nlohmann::json;
using google::protobuf::util::TimeUtil;

struct Telling {
    config::Problems problems;
    std::optional<EffectSet> set;

    /// An effect `tell` that sends this.
    explicit Telling(const std::string& send, const std::string& let = "",
                     webhook::SourceSet from = sources(), const std::string& when = "{type: [a]}") {
        const auto document = config::Document::from_text(
            "destinations:\n  payments: {kafka: {topic: payments}}\n  mail: {http: {url: "
            "'https://m.example/', "
            "secrets: [{value: {env: S}}]}}\neffects:\n  - name: tell\n    when: " +
                when + "\n" + let + "    send: " + send + "\n",
            "test.yaml", problems);
        set.emplace(EffectSet::read(document, from, problems));
    }

    struct Told {
        std::optional<Verdict> verdict;
        std::vector<std::string> bodies;  ///< of its messages

        [[nodiscard]] Outcome outcome() const { return verdict ? verdict->outcome : Outcome::done; }
    };

    [[nodiscard]] Told run(const record::EventHeaders& headers, const EventBody& body) const {
        const Effect& effect = *set->all().front();
        std::pmr::monotonic_buffer_resource made;
        std::vector<store::Datum> values;
        Told told{.verdict = effect.evaluate({headers, body}, values, made), .bodies = {}};
        for (std::size_t i = 0; i < values.size(); ++i)
            if (effect.let()[i].name == body_name)
                told.bodies.emplace_back(std::get<store::Bytes>(values[i]).bytes);
        return told;
    }
};

record::EventHeaders headers() {
    record::EventHeaders event;
    event.source = "stripe-eu";
    event.provider = "stripe";
    event.principal = "acct_eu";
    event.livemode = true;
    event.event_id = "evt_1";
    event.type = "a";
    event.object = "pi_1";
    event.occurred_at = WallTime{std::chrono::microseconds{1'795'287'802'000'001}};
    event.received_at = WallTime{std::chrono::microseconds{1'795'287'803'123'456}};
    event.content_type = "application/json";
    event.dedup_key.fill(0x11);
    event.content_digest.fill(0x22);
    return event;
}

webhook::JsonView empty_body() {
    webhook::JsonView view;
    EXPECT_TRUE(view.read("{}"));
    return view;
}

v1::PaymentEvent parsed(const std::string& bytes) {
    v1::PaymentEvent event;
    EXPECT_TRUE(event.ParseFromString(bytes));
    return event;
}

TEST(PaymentEventBody, SaysWhatIsKnownOfTheEvent) {
    const Telling telling{"{to: payments, body: payment_event}"};
    ASSERT_EQ(telling.problems.report(), "");
    const auto view = empty_body();
    const EventBody body{
        .json = view, .bytes = "{}", .at = {"payments.webhooks.v1", 7, 9'007'199'254'740'993}};
    const auto [verdict, bodies] = telling.run(headers(), body);
    ASSERT_FALSE(verdict);
    // By hand: field numbers and encodings are what receivers know.
    const std::string golden = crypto::from_hex(
                                   "0a056576745f31"
                                   "1206737472697065"
                                   "1a07616363745f6575"
                                   "2001"
                                   "2a097374726970652d6575"
                                   "320161"
                                   "3a0470695f31"
                                   "420908fad587d80610e807"
                                   "4a0b08fbd587d806108094ef3a"
                                   "5a21"
                                   "0a147061796d656e74732e776562686f6f6b732e7631"
                                   "1007"
                                   "188180808080808010"
                                   "6220" +
                                   std::string(32, '2') + std::string(32, '2') + "6a20" +
                                   std::string(32, '1') + std::string(32, '1'))
                                   .value();
    EXPECT_EQ(crypto::to_hex(bodies.at(0)), crypto::to_hex(golden));
    const auto event = parsed(bodies[0]);
    EXPECT_EQ(event.record().offset(), 9'007'199'254'740'993);
    EXPECT_FALSE(event.has_payment());
    EXPECT_FALSE(event.has_body());
    EXPECT_FALSE(store::is_json(bodies[0]));
    EXPECT_EQ(store::message_type, event.GetDescriptor()->full_name());
}

TEST(PaymentEventBody, LeavesOutWhatNobodyKnows) {
    const Telling telling{"{to: payments, body: payment_event}"};
    auto event = headers();
    event.occurred_at.reset();
    event.object.clear();
    const auto view = empty_body();
    const auto message = parsed(telling.run(event, {view}).bodies.at(0));
    EXPECT_FALSE(message.has_occurred_at());
    EXPECT_TRUE(message.object().empty());
    EXPECT_FALSE(message.has_record()) << "a trial has no record";
}

TEST(PaymentEventBody, HasTheProvidersBodyOnlyWhereItIsAskedFor) {
    const Telling telling{"{to: payments, body: payment_event, provider_body: true}"};
    ASSERT_EQ(telling.problems.report(), "");
    const auto view = empty_body();
    const std::string bytes("{}\n\0\xff", 5);
    const auto message = parsed(telling.run(headers(), {.json = view, .bytes = bytes}).bodies.at(0));
    EXPECT_EQ(message.body(), bytes);
    EXPECT_EQ(message.content_type(), "application/json");
}

TEST(PaymentEventBody, ThatIsTooLongOrThatNobodyCanParseParks) {
    const Telling telling{"{to: payments, body: payment_event, provider_body: true}"};
    const auto view = empty_body();
    const std::string most(256'000, 'x');
    EXPECT_EQ(telling.run(headers(), {.json = view, .bytes = most}).outcome(), Outcome::park)
        << "with the rest it is longer";
    EXPECT_FALSE(
        telling.run(headers(), {.json = view, .bytes = std::string_view{most}.substr(1000)}).verdict);
    auto event = headers();
    event.object = "\xff";
    EXPECT_EQ(telling.run(event, {view}).outcome(), Outcome::park);
}

/// The facts as the vectors have them: what is absent is not there.
Json in_json(const v1::PaymentFacts& facts) {
    Json json = Json::object();
    const auto text = [&json](const char* name, const std::string& value) {
        if (!value.empty()) json[name] = value;
    };
    text("payment", facts.kind());
    text("reference", facts.reference());
    text("transaction", facts.transaction());
    text("refund", facts.refund());
    text("currency", facts.currency());
    text("payer", facts.payer());
    if (facts.has_amount()) json["amount"] = facts.amount();
    if (facts.has_refunded_total()) json["refunded_total"] = facts.refunded_total();
    if (facts.has_paid_at())
        json["paid_at"] = to_rfc3339(
            WallTime{std::chrono::microseconds{TimeUtil::TimestampToMicroseconds(facts.paid_at())}});
    return json;
}

bool has_trouble(const Json& says) {
    return says.is_string() || std::ranges::any_of(says, [](const Json& fact) { return fact.is_object(); });
}

/// Of one vector of a provider (tests/vectors/payments).
void expect_told(const Telling& telling, const webhook::Recipe& recipe, const Json& vector) {
    SCOPED_TRACE(recipe.name + ": " + vector["name"].get<std::string>());
    webhook::SettingValues with;
    with.texts = {{"reference_key", "order_id"}, {"capture", "automatic"}};
    const Json given = vector.value("with", Json::object());
    for (const auto& [name, value] : given.items()) with.texts[name] = value.get<std::string>();
    const auto rule = webhook::with_settings(*recipe.payment, with);
    webhook::JsonView view;
    ASSERT_TRUE(view.read(vector["body"].dump()));
    const auto its = webhook::case_of(rule, view);
    if (!its) return;  // EffectsRun makes it the trouble of each fact
    std::optional<webhook::Payment> payment;
    if (*its != nullptr) payment = webhook::payment_of(rule, **its, view);
    const auto [verdict, bodies] = telling.run(headers(), {view, payment ? &*payment : nullptr});
    if (has_trouble(vector["says"])) {
        ASSERT_TRUE(verdict);
        EXPECT_TRUE(verdict->reason.starts_with(":payment_event's ")) << verdict->reason;
        EXPECT_TRUE(verdict->quotes_event);
        return;
    }
    ASSERT_FALSE(verdict) << verdict->reason;
    const auto event = parsed(bodies.at(0));
    EXPECT_EQ(event.has_payment(), payment.has_value());
    EXPECT_EQ(in_json(event.payment()), payment ? vector["says"] : Json::object());
}

TEST(PaymentEventBody, HasTheFactsOfEveryProvidersSamples) {
    const Telling telling{"{to: payments, body: payment_event}"};
    std::size_t vectors = 0;
    for (const webhook::Recipe& recipe : webhook::RecipeSet::builtin().all()) {
        if (!recipe.payment) continue;
        std::ifstream file(std::filesystem::path(SLUICE_VECTORS) / "payments" / (recipe.name + ".json"));
        for (const Json& vector : Json::parse(file)) {
            expect_told(telling, recipe, vector);
            ++vectors;
        }
    }
    EXPECT_GT(vectors, 50U);
}

TEST(PaymentEventBody, HasFactsOfTheRecipeWhateverLetCallsSo) {
    const Telling telling{
        "[{to: payments, key: \":amount\", body: payment_event}, {to: payments, body: payment_event}]",
        "    let: {amount: /sum}\n"};
    ASSERT_EQ(telling.problems.report(), "");
    EXPECT_TRUE(telling.set->reads_payments()) << "though it is not for payments";
    webhook::JsonView view;
    ASSERT_TRUE(view.read(R"({"sum": "88.88"})"));
    webhook::Payment payment;
    payment[webhook::PaymentFact::kind].value = "paid";
    payment[webhook::PaymentFact::amount].value = std::int64_t{0};
    const auto [verdict, bodies] = telling.run(headers(), {view, &payment});
    ASSERT_EQ(bodies.size(), 2U);
    EXPECT_EQ(bodies[0], bodies[1]) << "the idempotency key of a message is a header";
    EXPECT_TRUE(parsed(bodies[0]).payment().has_amount()) << "0 is said";
    EXPECT_EQ(parsed(bodies[0]).payment().amount(), 0);
}

TEST(PaymentEventBody, IsRefusedWhereItCannotGo) {
    const auto report = [](const std::string& send) { return Telling{send}.problems.report(); };
    EXPECT_EQ(report("{to: mail, body: payment_event}"),
              "test.yaml:7: payment_event is for topics: a URL gets JSON, as in {order: \":reference\"}");
    EXPECT_TRUE(
        report("{to: payments, body: {a: 1}, provider_body: true}").contains("set body: payment_event"));
    EXPECT_TRUE(report("{to: payments, body: payment_evnt}").contains("or payment_event"));
    EXPECT_EQ(report("{to: payments, body: {payment: payment_event}}"), "");
}

TEST(PaymentEventBody, HasNoBodyThatIsNotSignedUnlessTheEffectTrustsIt) {
    auto from = sources();
    from.push_back(std::make_shared<webhook::Source>(
        webhook::Source{.name = "adyen",
                        .provider = "adyen",
                        .recipe = "adyen",
                        .principal = "shop",
                        .path = "/adyen",
                        .answers = {},
                        .signed_fields = {"/pspReference"},
                        .program = {nullptr, +[](const webhook::Program*) {}}}));
    const auto report = [&](const std::string& more, const std::string& when) {
        return Telling{"{to: payments, body: payment_event" + more + "}", "", from, when}.problems.report();
    };
    const auto refused = report(", provider_body: true", "{source: adyen}");
    EXPECT_TRUE(
        refused.starts_with("test.yaml:7: provider_body has all of the body, of which source 'adyen'"))
        << refused;
    EXPECT_EQ(report(", provider_body: true", "{source: adyen, trust: fields}"), "");
    EXPECT_EQ(report("", "{source: adyen}"), "");
    EXPECT_EQ(report(", provider_body: true", "{source: stripe-eu}"), "");
}

}  // namespace
}  // namespace sluice::effects
