#include "consumer/effects/effect/signed_reads.hpp"

#include <gtest/gtest.h>

#include "consumer/effects/effect_set/effect_set.hpp"
#include "tests/unit/consumer/effects/configuration.hpp"

namespace sluice::effects {
namespace {

webhook::SourceSet with_signed_fields() {
    auto items = std::make_shared<webhook::Source>(
        webhook::Source{.name = "adyen",
                        .provider = "adyen",
                        .recipe = "adyen",
                        .principal = "shop",
                        .path = "/adyen",
                        .answers = {},
                        .signed_fields = {"/pspReference", "/amount/value"},
                        .program = {nullptr, +[](const webhook::Program*) {}}});
    auto all = sources();
    all.push_back(std::move(items));
    return all;
}

std::string report_of(const std::string& when, const std::string& let) {
    const std::string text = "effects:\n  - name: book\n    when: " + when + "\n    let: {x: " + let +
                             "}\n    sql: [{run: 'INSERT INTO t VALUES (:x)'}]\n";
    config::Problems problems;
    const auto document = config::Document::from_text(text, "test.yaml", problems);
    static_cast<void>(EffectSet::read(document, with_signed_fields(), problems));
    return problems.report();
}

TEST(SignedReads, TakeFieldsThatAreSigned) {
    EXPECT_EQ(report_of("{source: adyen}", "/pspReference"), "");
    EXPECT_EQ(report_of("{source: adyen}", "{pointer: /amount/value, as: int64}"), "");
}

TEST(SignedReads, RefuseFieldsThatAreNot) {
    const auto report = report_of("{source: adyen}", "/additionalData/shopperReference");
    EXPECT_TRUE(report.contains("test.yaml:4")) << report;
    EXPECT_TRUE(
        report.contains(":x reads /additionalData/shopperReference, which source 'adyen' does not sign"))
        << report;
    EXPECT_TRUE(report.contains("trust: fields")) << report;
    EXPECT_NE(report_of("{source: adyen}", "/amount"), "") << "a part of it may be another";
    EXPECT_NE(report_of("{source: adyen}", "{pointer: /amount/value, as: int64, minus: /fee}"), "");
}

TEST(SignedReads, LookAtEverySourceThatCanMatch) {
    EXPECT_NE(report_of("{provider: adyen}", "/reason"), "");
    EXPECT_NE(report_of("{type: AUTHORISATION}", "/reason"), "");
    EXPECT_EQ(report_of("{source: stripe-eu}", "/reason"), "");
}

TEST(SignedReads, MayBeAskedForByName) {
    EXPECT_EQ(report_of("{source: adyen, trust: fields}", "/reason"), "");
}

TEST(SignedReads, LookAtAllPlacesOfAParameter) {
    EXPECT_NE(report_of("{source: adyen}", "[/pspReference, /reason]"), "");
    EXPECT_NE(report_of("{source: adyen}", "{pointer: /amount/value, as: minor, currency: /reason}"), "");
    EXPECT_EQ(report_of("{source: adyen}", "[/pspReference, {value: none}]"), "");
}

TEST(SignedReads, LookAtTestsOfTheBody) {
    const auto report = report_of("{source: adyen, body: {/reason: x}}", "/pspReference");
    EXPECT_TRUE(report.contains("test.yaml:3: when.body reads /reason, which source 'adyen' does not sign"))
        << report;
    EXPECT_EQ(report_of("{source: adyen, body: {/pspReference: x}}", "/pspReference"), "");
    EXPECT_EQ(report_of("{source: adyen, trust: fields, body: {/reason: x}}", "/pspReference"), "");
}

/// Of real recipes, whose signatures cover what they cover.
std::string report_of_header(const std::string& when, const std::string& header) {
    const std::string text =
        "sources:\n"
        "  - {name: sq, recipe: square, principal: q, with: {url: 'https://shop.example/square'}}\n"
        "  - {name: git, recipe: github, principal: g}\n"
        "  - {name: sw, recipe: standard-webhooks, principal: s}\n"
        "  - {name: svix, recipe: svix, principal: v}\n"
        "  - {name: list, recipe: standard-webhooks, principal: l, poll: {}}\n"
        "effects:\n  - name: book\n    when: " +
        when + "\n    let: {x: {header: " + header + "}}\n    sql: [{run: 'INSERT INTO t VALUES (:x)'}]\n";
    config::Problems problems;
    const auto document = config::Document::from_text(text, "test.yaml", problems);
    const auto all = webhook::read_sources_without_keys(document, problems);
    EXPECT_EQ(problems.report(), "");
    static_cast<void>(EffectSet::read(document, all, problems));
    return problems.report();
}

TEST(SignedReads, TakeHeadersThatAreSigned) {
    EXPECT_EQ(report_of_header("{source: sw}", "webhook-id"), "");
    EXPECT_EQ(report_of_header("{source: sw}", "Webhook-Timestamp"), "");
}

TEST(SignedReads, RefuseHeadersThatAreNot) {
    EXPECT_TRUE(
        report_of_header("{source: git, type: push, trust: type}", "x-github-event")
            .contains("test.yaml:10: :x reads the header x-github-event, which source 'git' does not sign"));
    EXPECT_EQ(report_of_header("{source: git, type: push, trust: [type, fields]}", "x-github-event"), "");
    EXPECT_TRUE(report_of_header("{source: sw}", "webhook-signature").contains("does not sign"));
    EXPECT_TRUE(
        report_of_header("{source: sw}", "x-shop").contains("no source that the effect is for keeps"));
    EXPECT_TRUE(
        report_of_header("{source: list}", "webhook-id").contains("no source that the effect is for keeps"))
        << "nothing is sent to a polled source";
}

}  // namespace
}  // namespace sluice::effects
