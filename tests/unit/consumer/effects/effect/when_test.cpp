#include "consumer/effects/effect/when.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

auto read(const std::string& when) {
    return read_with("effects: " + when, [](const config::Document& document, config::Problems&) {
        return When::read(document.section("effects"), sources());
    });
}

record::EventHeaders event(const std::string& source, const std::string& provider,
                           const std::string& principal, const std::string& type) {
    record::EventHeaders headers;
    headers.source = source;
    headers.provider = provider;
    headers.principal = principal;
    headers.type = type;
    return headers;
}

const auto through_eu = event("stripe-eu", "stripe", "acct_eu", "a");
const auto through_eu_2 = event("stripe-eu-2", "stripe", "acct_eu", "a");
const auto through_us = event("stripe-us", "stripe", "acct_us", "b");
const auto through_paypal = event("paypal", "paypal", "acct_eu", "a");

TEST(When, TakesEverySourceOfTheSourcesAccount) {
    const auto [when, report] = read("{source: stripe-eu}");
    EXPECT_EQ(report, "");
    EXPECT_TRUE(when.matches(through_eu));
    EXPECT_TRUE(when.matches(through_eu_2));
    EXPECT_FALSE(when.matches(through_us));
    EXPECT_FALSE(when.matches(through_paypal)) << "another provider's account of the same name";
}

TEST(When, TakesEveryTypeThatBeginsAsToldBeforeTheStar) {
    const auto [when, report] = read("{type: [customer.subscription.*, charge]}");
    EXPECT_EQ(report, "");
    const auto takes = [&when](const char* type) {
        return when.matches(event("stripe-eu", "stripe", "acct_eu", type));
    };
    EXPECT_TRUE(takes("customer.subscription.created"));
    EXPECT_TRUE(takes("customer.subscription."));
    EXPECT_TRUE(takes("charge"));
    EXPECT_FALSE(takes("customer.subscription"));
    EXPECT_FALSE(takes("customer.created"));
    EXPECT_FALSE(takes("charge.refunded")) << "no star, no prefix";
    for (const char* type : {"\"*\"", "\"*.paid\"", "a.*.b", "a.**"})
        EXPECT_TRUE(
            read("{type: " + std::string{type} + "}").report.contains("a * stands for the rest of a type"))
            << type;
}

TEST(When, WantsToBeToldThatASignatureCoversLessThanTheBody) {
    auto hint = through_paypal;
    hint.trust = "none";
    EXPECT_FALSE(read("{provider: paypal}").value.matches(hint));
    EXPECT_FALSE(read("{provider: paypal, trust: crc}").value.matches(hint));
    EXPECT_TRUE(read("{provider: paypal, trust: [crc, none]}").value.matches(hint));
    EXPECT_TRUE(read("{provider: paypal, trust: none}").value.matches(through_paypal));
    EXPECT_EQ(read("{source: eu, trust: full}").report,
              "test.yaml:1: trust must be none, crc, type or fields, or a list of them\n"
              "test.yaml:1: there is no source 'eu'");
}

// An effect that had to name it would lose events by a race: the list's copy comes first and is ignored, and
// the webhook's is its duplicate.
TEST(When, ActsOnWhatAProvidersListSaysWithoutNamingIt) {
    auto polled = through_eu;
    polled.source = "stripe-eu-list";
    polled.trust = "api";
    for (const char* written :
         {"{source: stripe-eu}", "{provider: stripe}", "{type: a}", "{source: stripe-eu, trust: fields}",
          "{type: a, trust: [none, crc, type]}"}) {
        const auto [when, report] = read(written);
        EXPECT_EQ(report, "");
        EXPECT_TRUE(when.matches(polled)) << written;
        EXPECT_TRUE(std::ranges::all_of(when.conditions(polled, {}), &Condition::holds)) << written;
    }
    EXPECT_FALSE(read("{type: b}").value.matches(polled));
    EXPECT_TRUE(read("{type: a, trust: api}").report.contains("test.yaml:1: trust: api needs no naming"));
}

/// A source whose signature covers less than the body.
std::shared_ptr<const webhook::Source> hints() {
    return source_of("hints", "xendit", "hints", webhook::Trust::none);
}

auto read_from(const webhook::SourceSet& known, const std::string& when) {
    return read_with("effects: " + when, [&known](const config::Document& document, config::Problems&) {
        return When::read(document.section("effects"), known);
    });
}

TEST(When, RefusesASourceThatItDoesNotTrust) {
    auto known = sources();
    known.push_back(hints());
    const auto read_hints = [&known](const std::string& when) { return read_from(known, when); };
    EXPECT_TRUE(read_hints("{source: hints}").report.contains("set trust: none"));
    EXPECT_TRUE(read_hints("{source: hints, trust: crc}").report.contains("set trust: none"));
    EXPECT_EQ(read_hints("{source: hints, trust: none}").report, "");
}

TEST(When, TrustsAPolledSource) {
    const auto list = source_of("list", "stripe", "acct_eu", webhook::Trust::api);
    for (const char* written : {"{source: list}", "{provider: stripe}", "{type: a}"})
        EXPECT_EQ(read_from({list}, written).report, "") << written;
}

TEST(When, RefusesAProviderOfWhichItTrustsNoSource) {
    const auto full = source_of("xendit-eu", "xendit", "eu");
    EXPECT_EQ(
        read_from({hints()}, "{provider: xendit}").report,
        "test.yaml:1: no signature of provider 'xendit' covers everything that its events say, so nothing "
        "matches: to let the effect act on data that anyone could have written, set trust: none");
    EXPECT_TRUE(read_from({hints()}, "{provider: xendit, trust: crc}").report.contains("set trust: none"));
    EXPECT_EQ(read_from({hints()}, "{provider: xendit, trust: none}").report, "");
    EXPECT_EQ(read_from({hints(), full}, "{provider: xendit}").report, "") << "it is for xendit-eu";
}

TEST(When, RefusesATypeAloneWhereItTrustsNoSource) {
    EXPECT_TRUE(read_from({hints()}, "{type: a}")
                    .report.contains("no source's signature covers everything that its events say"));
    EXPECT_EQ(read_from({hints()}, "{type: a, trust: none}").report, "");
    EXPECT_EQ(read_from({hints(), source_of("eu", "stripe", "eu")}, "{type: a}").report, "");
    EXPECT_EQ(read_from({}, "{type: a}").report, "") << "without sources there is nothing to say of them";
}

// Nobody signs the type, so one that is not listed could be sent again and again.
TEST(When, WantsTheTypesOfWhatHasNoneThatIsSigned) {
    EXPECT_TRUE(read("{provider: stripe, trust: type}").report.contains("trust: type needs type"));
    EXPECT_EQ(read("{provider: stripe, type: a, trust: type}").report, "");
    auto typed = through_eu;
    typed.trust = "type";
    EXPECT_FALSE(read("{provider: stripe, type: a}").value.matches(typed));
    EXPECT_TRUE(read("{provider: stripe, type: a, trust: type}").value.matches(typed));
}

TEST(When, KnowsTheSourcesThatItIsFor) {
    const auto eu = read("{source: stripe-eu, type: a}").value;
    EXPECT_TRUE(eu.is_for(*source_of("another-name", "stripe", "acct_eu")));
    EXPECT_FALSE(eu.is_for(*source_of("paypal", "paypal", "acct_eu")));
    EXPECT_TRUE(read("{type: a}").value.is_for(*source_of("paypal", "paypal", "acct_eu")));
    EXPECT_FALSE(read("{provider: stripe}").value.is_for(*source_of("paypal", "paypal", "acct_eu")));
}

TEST(When, TakesAProvider) {
    const auto when = read("{provider: stripe}").value;
    EXPECT_TRUE(when.matches(through_eu));
    EXPECT_TRUE(when.matches(through_us));
    EXPECT_FALSE(when.matches(through_paypal));
}

TEST(When, TakesATypeAsItIsWritten) {
    const auto when = read("{type: a}").value;
    EXPECT_TRUE(when.matches(through_eu));
    EXPECT_FALSE(when.matches(through_us));
    EXPECT_FALSE(when.matches(event("stripe-eu", "stripe", "acct_eu", "A")));
    EXPECT_FALSE(when.matches(event("stripe-eu", "stripe", "acct_eu", "a.b")));
}

TEST(When, WantsEveryKeyAndOneOfEachList) {
    const auto when = read("{source: [stripe-us, stripe-eu], type: [a, c]}").value;
    EXPECT_TRUE(when.matches(through_eu));
    EXPECT_FALSE(when.matches(through_us));
    EXPECT_FALSE(when.matches(through_paypal));
}

TEST(When, RefusesToBeForEverything) {
    EXPECT_TRUE(read("{}").report.contains("when is empty"));
    EXPECT_TRUE(read("{type: []}").report.contains("type is empty"));
    EXPECT_TRUE(read("{source: ['']}").report.contains("source is empty"));
}

TEST(When, RefusesWhatDoesNotExist) {
    EXPECT_TRUE(
        read("{source: stripe-asia}").report.contains("test.yaml:1: there is no source 'stripe-asia'"));
    EXPECT_TRUE(read("{provider: adyen}").report.contains("no source has the provider 'adyen'"));
    EXPECT_TRUE(read("{typ: a, provider: stripe}").report.contains("typ is not a known key"));
}

TEST(When, MatchesWhereEachOfItsConditionsHolds) {
    auto hint = through_paypal;
    hint.trust = "none";
    auto item = through_eu;
    item.trust = "fields";
    for (const char* written : {"{source: stripe-eu}", "{provider: [stripe, paypal]}", "{type: a}",
                                "{type: [b, c.*]}", "{source: stripe-eu, type: b}",
                                "{provider: paypal, trust: none}", "{type: a, trust: [none, fields]}"}) {
        const auto [when, report] = read(written);
        for (const auto& headers : {through_eu, through_eu_2, through_us, through_paypal, hint, item}) {
            const auto conditions = when.conditions(headers, {});
            EXPECT_EQ(std::ranges::all_of(conditions, &Condition::holds), when.matches(headers))
                << written << " and " << headers.source << " " << headers.trust;
        }
    }
}

TEST(When, NamesWhatItWantsAndWhatTheEventHas) {
    const auto [when, report] = read("{source: stripe-eu, type: [b, c]}");
    const auto conditions = when.conditions(through_us, {});
    ASSERT_EQ(conditions.size(), 2U);
    EXPECT_EQ(conditions[0].key, "source");
    EXPECT_EQ(conditions[0].wanted, "stripe/acct_eu");
    EXPECT_EQ(conditions[0].has, "stripe/acct_us");
    EXPECT_FALSE(conditions[0].holds);
    EXPECT_EQ(conditions[1].wanted, "b or c");
    EXPECT_TRUE(conditions[1].holds);
}

/// Whether {source: stripe-eu, body: `tests`} matches an event of it with this body.
bool takes(const std::string& tests, const std::string& body) {
    const auto [when, report] = read("{source: stripe-eu, body: " + tests + "}");
    EXPECT_EQ(report, "");
    webhook::JsonView view;
    EXPECT_TRUE(view.read(body));
    return when.matches(through_eu, {.body = &view});
}

TEST(When, TakesBodiesInWhichAllTestsHold) {
    EXPECT_TRUE(takes("{/respCode: '00'}", R"({"respCode": "00"})"));
    EXPECT_FALSE(takes("{/respCode: '00'}", R"({"respCode": "05"})"));
    EXPECT_FALSE(takes("{/respCode: '00'}", R"({"respCode": 0})"));
    EXPECT_FALSE(takes("{/respCode: '00'}", "{}"));
    EXPECT_FALSE(takes("{/respCode: '00'}", R"({"respCode": null})"));
    EXPECT_FALSE(takes("{/respCode: '00'}", R"({"respCode": ["00"]})"));
    EXPECT_TRUE(takes("{/respCode: ['00', A6]}", R"({"respCode": "A6"})"));
    EXPECT_TRUE(takes("{/n: 5, /b: true}", R"({"n": 5, "b": true})"));
    EXPECT_FALSE(takes("{/n: 5, /b: true}", R"({"n": 5, "b": false})")) << "all of them";
    EXPECT_TRUE(takes("{/n: {present: true}}", R"({"n": 5})"));
    EXPECT_TRUE(takes("{/n: {present: false}}", R"({"n": ""})"));
}

TEST(When, TakesBodiesThatOneLineOfTestsIsFor) {
    const std::string paid = "[{/respCode: '00', /txnType: '01'}, {/trade_status: TRADE_SUCCESS}]";
    EXPECT_TRUE(takes(paid, R"({"respCode": "00", "txnType": "01"})"));
    EXPECT_TRUE(takes(paid, R"({"trade_status": "TRADE_SUCCESS"})"));
    EXPECT_FALSE(takes(paid, R"({"respCode": "00"})"));
    EXPECT_FALSE(takes(paid, R"({"txnType": "01", "trade_status": "WAIT_BUYER_PAY"})"));
    EXPECT_TRUE(takes(paid, R"({"respCode": "1", "respCode": "00", "txnType": "01"})")) << "its run parks";
    EXPECT_FALSE(takes(paid, R"({"respCode": "1", "respCode": "00", "txnType": "02"})"));
}

TEST(When, TakesBodiesThatCannotBeTold) {
    EXPECT_TRUE(takes("{/a: x}", R"({"a": "y", "a": "x"})")) << "its run parks";
    EXPECT_TRUE(takes("{/a: x}", R"({"a": "\ud83d"})"));
    EXPECT_FALSE(takes("{/a: x, /b: y}", R"({"a": "x", "a": "x", "b": "z"})")) << "b is none that it is for";
    EXPECT_TRUE(read("{source: stripe-eu, body: {/a: x}}").value.matches(through_eu))
        << "nobody read the body";
    EXPECT_FALSE(read("{source: stripe-eu, body: {/a: x}}").value.matches(through_us));
}

TEST(When, SaysWhatIsWrongWithTestsOfTheBody) {
    const auto report = [](const std::string& tests) {
        return read("{source: stripe-eu, body: " + tests + "}").report;
    };
    EXPECT_TRUE(report("x").contains("there must be a mapping from JSON pointers to texts"));
    EXPECT_TRUE(report("{}").contains("there must be one to six places"));
    EXPECT_TRUE(report("[]").contains("body must have one to eight lines"));
    EXPECT_TRUE(report("[x]").contains("there must be a mapping from JSON pointers to texts"));
    EXPECT_TRUE(report("{a: x}").contains("'a' is not a JSON pointer, such as"));
    EXPECT_TRUE(report("{/a: []}").contains("one to sixteen texts"));
    EXPECT_TRUE(report("{/a: ''}").contains("one to sixteen texts"));
    EXPECT_TRUE(report("{/a: {presnt: true}}").contains("presnt is not a known key"));
    EXPECT_TRUE(read("{body: {/a: x}}").report.contains("when is empty"));
}

}  // namespace
}  // namespace sluice::effects
