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

}  // namespace
}  // namespace sluice::effects
