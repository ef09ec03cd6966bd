// `payment:` of a recipe, as it is written and as it is refused.
#include <gtest/gtest.h>

#include "common/error.hpp"
#include "common/webhook/payment/payment.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe_file/recipe_set.hpp"
#include "tests/unit/common/webhook/recipe_lines.hpp"

namespace sluice::webhook::test {
namespace {

Configured read(const std::string& payment) {
    Lines lines;
    lines.more =
        "with: {order_key: {default: order}, mode: {one_of: [a, b], default: a}}\n    payment: " + payment;
    return lines.read();
}

/// One kind, with these facts.
Configured read_facts_of_paid(const std::string& facts) {
    return read("{kinds: [{kind: paid, when: {/s: ok}, " + facts + "}]}");
}

std::string reference_in(const Configured& configured, const std::string& body) {
    JsonView view;
    EXPECT_TRUE(view.read(body));
    const PaymentRule& rule = *configured.only().program->payment;
    const auto its = case_of(rule, view);
    if (!its || *its == nullptr) return "no payment";
    const PaymentValue value = payment_of(rule, **its, view)[PaymentFact::reference];
    const auto* text = std::get_if<std::string>(&value.value);
    return text != nullptr ? *text : value.trouble;
}

TEST(ReadPayment, TakesTheFirstAlternativeWithAText) {
    const auto configured = read_facts_of_paid(
        "reference: [/no, {pointer: /meta, key: order_key}, {pointer: /number, integer: true, optional: "
        "true}]");
    ASSERT_EQ(configured.problems.report(), "");
    EXPECT_EQ(reference_in(configured, R"({"s": "ok", "no": "A", "meta": {"order": "B"}})"), "A");
    EXPECT_EQ(reference_in(configured, R"({"s": "ok", "no": "", "meta": {"order": "B"}})"), "B");
    EXPECT_EQ(reference_in(configured, R"({"s": "ok", "no": null, "number": 9007199254740993})"),
              "9007199254740993");
    EXPECT_EQ(reference_in(configured, R"({"s": "ok", "no": {"a": 1}})"),
              "/no: a JSON value has the wrong type");
    EXPECT_EQ(reference_in(configured, R"({"s": "ok", "no": "a\nb"})"),
              "/no is \"a?b\", which is longer than 255 bytes or has control characters");
}

TEST(ReadPayment, GivesBothNumbersAsTheFactsHaveThem) {
    const auto configured = read_facts_of_paid("reference: /no, transaction: {pointer: /id, optional: true}");
    ASSERT_EQ(configured.problems.report(), "");
    const PaymentRule& rule = *configured.only().program->payment;
    const auto numbers_in = [&](const std::string& body) {
        JsonView view;
        EXPECT_TRUE(view.read(body));
        const PaymentNumbers numbers = numbers_of(**case_of(rule, view), view);
        return numbers.reference + " " + numbers.transaction;
    };
    EXPECT_EQ(numbers_in(R"({"s": "ok", "no": "O-17", "id": "T-1"})"), "O-17 T-1");
    EXPECT_EQ(numbers_in(R"({"s": "ok", "no": "O-17"})"), "O-17 ");
    EXPECT_EQ(numbers_in(R"({"s": "ok", "no": {"a": 1}, "id": "T-1"})"), " T-1") << "one that cannot be read";
    const std::string longest(255, 'x');
    EXPECT_EQ(numbers_in(R"({"s": "ok", "no": ")" + longest + R"(", "id": ")" + longest + R"(x"})"),
              longest + " ")
        << "a number is never cut";
}

TEST(ReadPayment, LooksAtTextsNumbersAndBooleansAsTheyAreWritten) {
    const auto configured = read(
        "{kinds: [{kind: none, when: {/s: [1.0, 'false']}}, {kind: paid, when: {/s: [1, 'true', ok]}, "
        "reference: {literal: x}}]}");
    ASSERT_EQ(configured.problems.report(), "");
    for (const std::string body : {R"({"s": 1})", R"({"s": true})", R"({"s": "ok"})", R"({"s": "1"})"})
        EXPECT_EQ(reference_in(configured, body), "x") << body;
    for (const std::string body : {R"({"s": 1.0})", R"({"s": 1e0})", R"({"s": false})", R"({"s": null})",
                                   "{}", R"({"s": ["ok"]})", R"({"s": {"ok": 1}})", R"({"s": "OK"})"})
        EXPECT_EQ(reference_in(configured, body), "no payment") << body;
}

TEST(ReadPayment, IsNotSureOfWhatStandsTwice) {
    const auto configured = read_facts_of_paid("reference: {literal: x}");
    JsonView view;
    ASSERT_TRUE(view.read(R"({"s": "ok", "s": "no"})"));
    const auto its = case_of(*configured.only().program->payment, view);
    ASSERT_FALSE(its);
    EXPECT_EQ(its.error(), errc::duplicate_key);
}

TEST(ReadPayment, ReadsWhatIsSignedAndNothingElse) {
    const auto files = builtin_files();
    std::string recipe{std::ranges::find(files, "adyen.yaml", &BuiltinFile::name)->text};
    const auto put = [&recipe](const std::string& before, const std::string& text) {
        recipe.replace(recipe.find(before), before.size(), text);
    };
    put("- name: adyen", "- name: mine");
    const std::string sentence =
        "a fact of the payment is read from /additionalData/shopperReference, which the signature does not "
        "cover";
    EXPECT_FALSE(Configured{recipe}.refuses(sentence));
    const std::string currency = "currency: /amount/currency\n";
    put(currency, currency + "        payer: /additionalData/shopperReference\n");
    const Configured unsigned_payer{recipe};
    EXPECT_TRUE(unsigned_payer.refuses(sentence)) << unsigned_payer.problems.report();
}

struct Wrong {
    std::string payment;
    std::string sentence;

    friend void PrintTo(const Wrong& wrong, std::ostream* out) { *out << wrong.payment; }
};

class WrongPayment : public testing::TestWithParam<Wrong> {};

TEST_P(WrongPayment, IsRefusedWithItsLine) {
    const auto configured = read(GetParam().payment);
    EXPECT_TRUE(configured.refuses(GetParam().sentence)) << configured.problems.report();
    EXPECT_TRUE(configured.refuses("sluice.yaml:13")) << configured.problems.report();
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongPayment,
    testing::Values(
        Wrong{"{}", "kinds must be a list of one to 24 kinds of payment"},
        Wrong{"{kinds: [{kind: payed, when: {/s: ok}}]}",
              R"(there is no kind of payment "payed": the kinds are authorized, paid,)"},
        Wrong{"{kinds: [{kind: refundd, when: {/s: ok}}]}", R"(did you mean "refunded"?)"},
        Wrong{"{kinds: [{kind: paid}]}", "when is missing"},
        Wrong{"{kinds: [{kind: paid, when: {s: ok}}]}", "a JSON pointer"},
        Wrong{"{kinds: [{kind: paid, when: {/s: []}}]}", "there must be one to sixteen texts"},
        Wrong{"{kinds: [{kind: paid, when: {/s: {is: ok}}}]}", "present is missing"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, amount: {at: /a, unit: minor}}]}",
              "an amount needs currency"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, currency: /c, amount: {at: /a}}]}", "unit"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, currency: /c, amount: {at: /a, unit: cents}}]}",
              "minor major"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, currency: /c, amount: {unit: minor}}]}",
              "at is missing"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, reference: {header: X-Order}}]}",
              "must be read from the body"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, reference: {pointer: /meta, key: other}}]}",
              R"(setting "other" is not declared under with)"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, setting: {name: other, is: x}}]}",
              R"(setting "other" is not declared under with)"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, paid_at: {pointer: /t, forms: [compact]}}]}",
              "compact must stand alone, and needs zone"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, sum: /a}]}", "sum is not a known key"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, currency: /c, amount: {at: [], unit: minor}}]}",
              "there must be one to four places"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, paid_at: {header: X-Time, forms: [unix]}}]}",
              "paid_at must be read from the body"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}, setting: {name: mode, is: z}}]}",
              R"(setting "mode" can never be "z")"},
        Wrong{"{kinds: [{kind: paid, when: {/s: ok}}, {kind: refunded, when: {/s: ok}}]}",
              "kinds[1] has the same when as one before it"},
        Wrong{"{exponents: {usdc: 6}, kinds: [{kind: paid, when: {/s: ok}}]}", "no code of ISO 4217"},
        Wrong{"{exponents: {ISK: 9}, kinds: [{kind: paid, when: {/s: ok}}]}", "a number from 0 to 4"}));

}  // namespace
}  // namespace sluice::webhook::test
