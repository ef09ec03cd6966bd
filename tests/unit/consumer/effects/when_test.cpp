#include "consumer/effects/when.hpp"

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

TEST(When, WantsToBeToldThatASignatureCoversLessThanTheBody) {
    auto hint = through_paypal;
    hint.trust = "none";
    EXPECT_FALSE(read("{provider: paypal}").value.matches(hint));
    EXPECT_FALSE(read("{provider: paypal, trust: crc}").value.matches(hint));
    EXPECT_TRUE(read("{provider: paypal, trust: [crc, none]}").value.matches(hint));
    EXPECT_TRUE(read("{provider: paypal, trust: none}").value.matches(through_paypal));
    EXPECT_EQ(read("{source: eu, trust: full}").report,
              "test.yaml:1: trust is none or crc, or a list of both\n"
              "test.yaml:1: there is no source 'eu'");
}

TEST(When, RefusesASourceThatItDoesNotTrust) {
    const auto read_hints = [](const std::string& when) {
        return read_with("effects: " + when, [](const config::Document& document, config::Problems&) {
            auto known = sources();
            auto hints = std::make_shared<verify::Source>(
                verify::Source{.name = "hints",
                               .provider = "xendit",
                               .recipe = "xendit",
                               .principal = "hints",
                               .path = "/hints",
                               .answers = {},
                               .trust = verify::Trust::none,
                               .program = {nullptr, +[](const verify::Program*) {}}});
            known.push_back(std::move(hints));
            return When::read(document.section("effects"), known);
        });
    };
    EXPECT_TRUE(read_hints("{source: hints}").report.contains("say trust: none"));
    EXPECT_TRUE(read_hints("{source: hints, trust: crc}").report.contains("say trust: none"));
    EXPECT_EQ(read_hints("{source: hints, trust: none}").report, "");
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
    EXPECT_TRUE(read("{type: []}").report.contains("type names nothing"));
    EXPECT_TRUE(read("{source: ['']}").report.contains("source names nothing"));
}

TEST(When, RefusesWhatDoesNotExist) {
    EXPECT_TRUE(
        read("{source: stripe-asia}").report.contains("test.yaml:1: there is no source 'stripe-asia'"));
    EXPECT_TRUE(read("{provider: adyen}").report.contains("no source is of the provider 'adyen'"));
    EXPECT_TRUE(read("{typ: a, provider: stripe}").report.contains("typ is not a known key"));
}

}  // namespace
}  // namespace sluice::effects
