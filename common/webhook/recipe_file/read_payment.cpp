#include <algorithm>
#include <span>

#include "common/config/nearest_key.hpp"
#include "common/webhook/payment/currency.hpp"
#include "common/webhook/recipe_file/read_facts.hpp"
#include "common/webhook/recipe_file/read_recipe.hpp"

namespace sluice::webhook {

namespace {

using config::Section;
using config::Value;

constexpr std::size_t most_cases = 24;
constexpr std::size_t most_tests = 6;
constexpr std::size_t most_alternatives = 4;
constexpr std::size_t most_texts = 16;
constexpr int most_decimals = 4;

/// TEXT, [TEXTS], or {present: true or false}
void read_test_value(const Value& value, BodyTest& test, const std::string& path) {
    if (value.is_mapping()) {
        Section section{value, path};
        if (!section.has("present")) section.problem("present is missing: true or false");
        test.is_there = section.boolean("present", true);
        return;
    }
    test.any_of = value.text_or_texts();
    if (test.any_of.empty() || test.any_of.size() > most_texts || std::ranges::contains(test.any_of, ""))
        value.problem("there must be one to sixteen texts, or {present: true}");
}

/// Whether a fact can be had from a body alone, which is all that is there when effects run.
bool is_in_body(const Fact& fact) {
    return fact.from == Fact::From::pointer || fact.from == Fact::From::literal ||
           fact.from == Fact::From::templated;
}

bool has_key(const Value& value) {
    const auto entries = value.entries();
    return std::ranges::any_of(entries, [](const auto& entry) { return entry.first.scalar() == "key"; });
}

/// As read_joined, or {pointer: /metadata, key: NAME of the source's setting that names the last part}.
Joined read_alternative(const Value& value, const std::string& path) {
    if (!has_key(value)) return read_joined(value, path);
    Section section{value, path};
    Fact fact;
    fact.pointer = required_pointer(section, "pointer");
    fact.key_setting = section.required_text("key");
    fact.optional = section.boolean("optional", false);
    return {std::move(fact)};
}

void read_text_fact(Section& section, std::string_view key, Facts& facts) {
    if (!section.has(key)) return;
    facts.clear();
    const Value value = *section.value(key);
    if (value.scalar() == "none") return;
    const std::string path = section.path() + "." + std::string{key};
    const std::vector<Value> items = value.is_list() ? value.items() : std::vector<Value>{value};
    if (items.empty() || items.size() > most_alternatives)
        value.problem("there must be one to four alternatives");
    for (const Value& item : items) facts.push_back(read_alternative(item, path));
    for (const Joined& one : facts)
        if (!std::ranges::all_of(one, is_in_body))
            value.problem(std::string{key} +
                          " must be read from the body: a pointer, a literal or a template");
}

/// {at: /pointer or [/pointers], unit: minor or major, optional: true}
void read_amount(Section& section, std::string_view key, AmountField& field) {
    if (!section.has(key)) return;
    field = {};
    if (section.value(key)->scalar() == "none") return;
    Section amount = section.section(key);
    const auto at = amount.value("at");
    if (!at) amount.problem("at is missing: a JSON pointer, or a list of them");
    if (at && at->is_list() && (at->items().empty() || at->items().size() > most_alternatives))
        at->problem("there must be one to four places");
    const std::vector<Value> places = !at             ? std::vector<Value>{}
                                      : at->is_list() ? at->items()
                                                      : std::vector{*at};
    for (const Value& place : places)
        if (auto pointer = pointer_from(place)) field.at.push_back(std::move(*pointer));
    const bool is_minor = required_choice(amount, "unit", {"minor", "major"}) == "minor";
    field.unit = is_minor ? AmountField::Unit::minor : AmountField::Unit::major;
    field.optional = amount.boolean("optional", false);
}

void read_paid_at(Section& section, std::vector<TimeField>& fields) {
    if (!section.has("paid_at")) return;
    fields.clear();
    if (section.value("paid_at")->scalar() != "none") fields = read_times(section, "paid_at");
    if (!std::ranges::all_of(fields, is_in_body, &TimeField::at))
        section.problem_at("paid_at", "paid_at must be read from the body: a pointer");
}

/// What is there replaces what `fields` has.
void read_fields(Section& section, PaymentFields& fields) {
    read_text_fact(section, "reference", fields.reference);
    read_text_fact(section, "transaction", fields.transaction);
    read_text_fact(section, "refund", fields.refund);
    read_amount(section, "amount", fields.amount);
    read_amount(section, "refunded_total", fields.refunded_total);
    read_text_fact(section, "currency", fields.currency);
    read_paid_at(section, fields.paid_at);
    read_text_fact(section, "payer", fields.payer);
    const bool has_amount = !fields.amount.at.empty() || !fields.refunded_total.at.empty();
    if (has_amount && fields.currency.empty())
        section.problem("an amount needs currency: without one nobody knows its minor unit");
}

PaymentCase read_case(Section section, const PaymentFields& common) {
    PaymentCase one;
    one.kind = section.required_text("kind");
    if (one.kind == "none") one.kind.clear();
    const bool is_known = one.kind == unknown_payment || std::ranges::contains(payment_kinds, one.kind);
    if (!one.kind.empty() && !is_known) {
        const std::vector<std::string> known{payment_kinds.begin(), payment_kinds.end()};
        section.problem_at("kind", "there is no kind of payment \"" + one.kind +
                                       "\": " + config::hint(one.kind, known, "the kinds are "));
    }
    const auto when = section.value("when");
    if (when) one.when = read_body_tests(*when, section.path() + ".when");
    if (one.when.empty()) section.problem("when is missing: what of the body tells this kind from others");
    if (section.has("setting")) {
        Section setting = section.section("setting");
        one.setting = setting.required_text("name");
        one.setting_is = setting.required_text("is");
    }
    one.fields = common;
    read_fields(section, one.fields);
    return one;
}

void read_exponents(Section& payment, PaymentRule& rule) {
    const auto value = payment.value("exponents");
    if (!value) return;
    for (const auto& [name, held] : value->entries()) {
        const Currency* currency = currency_of(name.scalar());
        const auto digits = held.integer();
        if (currency == nullptr || currency->code != name.scalar())
            name.problem("\"" + name.scalar() + "\" is no code of ISO 4217, such as ISK");
        else if (!digits || *digits < 0 || *digits > most_decimals)
            held.problem("the digits of a minor unit are a number from 0 to 4");
        else
            rule.exponents.emplace(name.scalar(), static_cast<int>(*digits));
    }
}

/// Whether a case before `one` leaves nothing for it.
auto is_as_wide_as(const PaymentCase& one) {
    return [&one](const PaymentCase& before) {
        return before.when == one.when && (before.setting.empty() || (before.setting == one.setting &&
                                                                      before.setting_is == one.setting_is));
    };
}

void check_settings(const PaymentRule& rule, const Recipe& recipe, Section& payment) {
    const auto check = [&](const std::string& name, const std::string& value) {
        if (name.empty()) return;
        const auto found = std::ranges::find(recipe.settings, name, &SettingRule::name);
        if (found == recipe.settings.end() || found->kind != SettingRule::Kind::text)
            return payment.problem("setting \"" + name + "\" is not declared under with");
        if (!value.empty() && !found->one_of.empty() && !std::ranges::contains(found->one_of, value))
            payment.problem("setting \"" + name + "\" can never be \"" + value + "\"");
    };
    for (const PaymentCase& one : rule.cases) {
        check(one.setting, one.setting_is);
        for (const Facts* facts : text_facts(one.fields))
            for (const Joined& alternative : *facts)
                for (const Fact& fact : alternative) check(fact.key_setting, "");
    }
}

}  // namespace

std::vector<BodyTest> read_body_tests(const Value& value, const std::string& path) {
    std::vector<BodyTest> tests;
    if (!value.is_mapping()) {
        value.problem(
            "there must be a mapping from JSON pointers to texts, such as {/trade_status: [TRADE_SUCCESS]}");
        return tests;
    }
    for (const auto& [pointer, held] : value.entries()) {
        BodyTest test;
        if (auto at = pointer_from(pointer)) test.at = std::move(*at);
        read_test_value(held, test, path);
        tests.push_back(std::move(test));
    }
    if (tests.empty() || tests.size() > most_tests) value.problem("there must be one to six places");
    return tests;
}

void read_payment(Section& section, Recipe& recipe) {
    if (!section.has("payment")) return;
    Section payment = section.section("payment");
    PaymentRule rule;
    read_exponents(payment, rule);
    PaymentFields common;
    if (payment.has("facts")) {
        Section facts = payment.section("facts");
        read_fields(facts, common);
    }
    for (Section& one : payment.sections("kinds")) rule.cases.push_back(read_case(std::move(one), common));
    for (std::size_t i = 1; i < rule.cases.size(); ++i)
        if (std::ranges::any_of(std::span{rule.cases}.first(i), is_as_wide_as(rule.cases[i])))
            payment.problem_at("kinds",
                               "kinds[" + std::to_string(i) +
                                   "] has the same when as one before it, which is the one that counts");
    if (rule.cases.empty() || rule.cases.size() > most_cases)
        payment.problem_at("kinds", "kinds must be a list of one to 24 kinds of payment");
    check_settings(rule, recipe, payment);
    recipe.payment = std::move(rule);
}

}  // namespace sluice::webhook
