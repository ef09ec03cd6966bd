#include "common/webhook/payment/payment.hpp"

#include <algorithm>

#include "common/error.hpp"
#include "common/joined.hpp"
#include "common/printable.hpp"
#include "common/webhook/extract/time_fields.hpp"
#include "common/webhook/payment/currency.hpp"
#include "common/webhook/payment/scaled.hpp"

namespace sluice::webhook {

namespace {

constexpr std::size_t longest_text = 255;
constexpr std::size_t longest_shown = 40;

PaymentValue no_value(std::string trouble) {
    return {.value = {}, .trouble = std::move(trouble)};
}

/// For people: cut, and without what a terminal would not print.
std::string shown(std::string_view value) {
    std::string text{value.substr(0, longest_shown)};
    std::ranges::replace_if(text, [](char c) { return !is_printable(c); }, '?');
    return '"' + text + (value.size() > longest_shown ? "…\"" : "\"");
}

bool is_optional(const Facts& facts) {
    return std::ranges::any_of(facts,
                               [](const Joined& one) { return std::ranges::any_of(one, &Fact::optional); });
}

/// Why one has no text: a number says so, with the place that it stands at.
std::string no_text(const Joined& alternative, std::error_code error, const JsonView& body) {
    const auto is_number = [&body](const Fact& fact) {
        const auto type = body.type(fact.pointer);
        return fact.from == Fact::From::pointer && type &&
               (*type == JsonType::integer || *type == JsonType::real || *type == JsonType::big_number);
    };
    const auto number = std::ranges::find_if(alternative, is_number);
    if (error != errc::wrong_type || number == alternative.end())
        return name_of(Facts{alternative}) + ": " + error.message();
    return number->pointer.text() + " is a number, and text is wanted";
}

/// The first alternative with a text, which is never empty.
PaymentValue text_of(const Facts& facts, FactReader& reader, const JsonView& body) {
    for (const Joined& alternative : facts) {
        const Fact& first = alternative.front();
        const auto text = reader.text(alternative);
        const bool is_null = first.from == Fact::From::pointer && body.type(first.pointer) == JsonType::null;
        if (is_null || (!text && text.error() == errc::missing_pointer) || (text && text->empty())) continue;
        if (!text) return no_value(no_text(alternative, text.error(), body));
        if (text->size() > longest_text || has_control_character(*text))
            return no_value(name_of(Facts{alternative}) + " is " + shown(*text) +
                            ", which is longer than 255 bytes or has control characters");
        return {.value = std::string{*text}, .trouble = {}};
    }
    if (facts.empty() || is_optional(facts)) return {};
    return no_value(name_of(facts) + " is missing");
}

/// The digits at the first place that has a value; no text: none has.
Result<std::optional<std::string_view>> digits_at(const AmountField& field, const JsonView& body,
                                                  const Pointer*& place) {
    for (const Pointer& pointer : field.at) {
        place = &pointer;
        const auto type = body.type(pointer);
        if (!type && type.error() != errc::missing_pointer) return Failure{type.error()};
        if (!type || *type == JsonType::null) continue;
        const auto text = *type == JsonType::string ? body.string(pointer) : body.written(pointer);
        if (!text) return Failure{text.error()};
        if (!text->empty()) return *text;
    }
    return std::nullopt;
}

std::string why(NotScaled problem, const Currency& currency, bool is_major) {
    if (problem == NotScaled::no_number)
        return ", which is no number of digits with at most one decimal point";
    if (problem == NotScaled::too_large) return ", which is too large";
    if (!is_major) return ", which is no whole number of minor units of " + std::string{currency.code};
    return ", and " + std::string{currency.code} + " has " + std::to_string(currency.exponent) + " decimals";
}

int exponent_at(const PaymentRule& rule, const Currency& currency) {
    const auto own = rule.exponents.find(currency.code);
    return own == rule.exponents.end() ? currency.exponent : own->second;
}

PaymentValue amount_of(const AmountField& field, const PaymentRule& rule, const PaymentValue& currency,
                       const JsonView& body) {
    const Pointer* place = nullptr;
    const auto digits = digits_at(field, body, place);
    if (!digits) return no_value(place->text() + ": " + digits.error().message());
    if (!*digits && (field.at.empty() || field.optional)) return {};
    if (!*digits)
        return no_value(joined(field.at, " or ", [](const Pointer& one) { return one.text(); }) +
                        " is missing");
    if (!currency.trouble.empty()) return no_value(currency.trouble);
    const auto* code = std::get_if<std::string>(&currency.value);
    const Currency* known = code == nullptr ? nullptr : currency_of(*code);
    if (known == nullptr)
        return no_value("the currency of " + place->text() + " is " + shown(code == nullptr ? "" : *code) +
                        ", which ISO 4217 gives no minor unit");
    const bool is_major = field.unit == AmountField::Unit::major;
    const auto amount = scaled(**digits, known->exponent - (is_major ? 0 : exponent_at(rule, *known)));
    if (!amount)
        return no_value(place->text() + " is " + shown(**digits) + why(amount.error(), *known, is_major));
    return {.value = *amount, .trouble = {}};
}

PaymentValue currency_in(const Facts& facts, FactReader& reader, const JsonView& body) {
    PaymentValue value = text_of(facts, reader, body);
    auto* const code = std::get_if<std::string>(&value.value);
    if (code == nullptr) return value;
    if (const Currency* known = currency_of(*code)) *code = known->code;
    return value;
}

PaymentValue time_of(const std::vector<TimeField>& fields, FactReader& reader, const JsonView& body) {
    const auto time = first_time(reader, body, fields);
    const auto place = [](const TimeField& field) { return name_of(Facts{{field.at}}); };
    if (!time) return no_value(joined(fields, " or ", place) + ": " + time.error().message());
    if (!*time) return {};
    return {.value = **time, .trouble = {}};
}

}  // namespace

Result<const PaymentCase*> case_of(const PaymentRule& rule, const JsonView& body) {
    for (const PaymentCase& one : rule.cases) {
        bool all_hold = true;
        for (const BodyTest& test : one.when) {
            const auto held = holds(test, body);
            if (!held) return Failure{held.error()};
            all_hold = all_hold && *held;
        }
        if (!all_hold) continue;
        if (one.kind == unknown_payment) return Failure{errc::not_said};
        return one.kind.empty() ? nullptr : &one;
    }
    return nullptr;
}

PaymentNumbers numbers_of(const PaymentCase& its, const JsonView& body) {
    const Request none{};
    FactReader reader{none, body};
    const auto number = [&](const Facts& facts) {
        PaymentValue value = text_of(facts, reader, body);
        auto* const text = std::get_if<std::string>(&value.value);
        return text != nullptr ? std::move(*text) : std::string{};
    };
    return {.reference = number(its.fields.reference), .transaction = number(its.fields.transaction)};
}

Payment payment_of(const PaymentRule& rule, const PaymentCase& its, const JsonView& body) {
    using enum PaymentFact;
    const Request none{};
    FactReader reader{none, body};
    const PaymentFields& fields = its.fields;
    Payment payment;
    payment[kind].value = its.kind;
    payment[reference] = text_of(fields.reference, reader, body);
    payment[transaction] = text_of(fields.transaction, reader, body);
    payment[refund] = text_of(fields.refund, reader, body);
    payment[currency] = currency_in(fields.currency, reader, body);
    payment[amount] = amount_of(fields.amount, rule, payment[currency], body);
    payment[refunded_total] = amount_of(fields.refunded_total, rule, payment[currency], body);
    payment[paid_at] = time_of(fields.paid_at, reader, body);
    payment[payer] = text_of(fields.payer, reader, body);
    return payment;
}

}  // namespace sluice::webhook
