// Warnings of types that look misspelt.
#include "consumer/effects/effect/misspelt_types.hpp"

#include <gtest/gtest.h>

#include "consumer/effects/effect_set/effect_set.hpp"

namespace sluice::effects {
namespace {

/// All warnings of one effect with this `when`.
std::vector<std::string> warnings_of(const std::string& when) {
    config::Problems problems;
    const auto document = config::Document::from_text(
        "sources:\n"
        "  - {name: shop, recipe: stripe, principal: a}\n"
        "  - {name: ali, recipe: alipay, principal: a, with: {kind: notify, app_id: a}}\n"
        "effects:\n  - name: book\n    when: " +
            when + "\n    insert: {table: t, row: {no: ':event_id'}}\n",
        "test.yaml", problems);
    const auto sources = webhook::read_sources_without_keys(document, problems);
    const auto set = EffectSet::read(document, sources, problems);
    EXPECT_EQ(problems.report(), "") << "a doubt never keeps a program from starting";
    return problems.warnings();
}

TEST(MisspeltTypes, AreDoubtedWithTheOneThatWasMeant) {
    EXPECT_EQ(warnings_of("{type: payment_intent.suceeded}"),
              std::vector<std::string>{
                  "test.yaml:6: the type 'payment_intent.suceeded' may be misspelt: did you mean "
                  "'payment_intent.succeeded'?"});
    EXPECT_EQ(warnings_of("{source: shop, type: [payment_intent.succeeded, payment_intent.suceeded]}").size(),
              1U);
}

TEST(MisspeltTypes, AreNotDoubtedWhereNobodyKnows) {
    for (const auto* when : {"{type: payment_intent.succeeded}", "{type: payment_intent.created}",
                             "{type: customer.subscription.*}", "{type: 'payment_intent.suceede*'}",
                             "{type: invoice.paid}", "{source: ali, type: payment_intent.suceeded}"})
        EXPECT_TRUE(warnings_of(when).empty()) << when;
}

}  // namespace
}  // namespace sluice::effects
