#include "ctl/recipes/payment_text.hpp"

#include "common/joined.hpp"
#include "common/webhook/payment/payment.hpp"

namespace sluice::ctl {
namespace {

using webhook::PaymentFact;

std::string text_of(const webhook::BodyTest& test) {
    const std::string place = test.at.text();
    if (test.any_of.empty()) return place + (test.is_there ? " is there" : " is absent");
    return place + " is " + joined(test.any_of, " or ");
}

std::string when_of(const webhook::PaymentCase& one) {
    const std::string setting =
        one.setting.empty() ? "" : "with." + one.setting + " is " + one.setting_is + ", ";
    return setting + joined(one.when, ", ", text_of);
}

std::string text_of(const webhook::Facts& facts) {
    return joined(facts, " or ", [](const webhook::Joined& alternative) {
        const std::string& key = alternative.front().key_setting;
        return webhook::name_of(webhook::Facts{alternative}) + (key.empty() ? "" : "/(with." + key + ")");
    });
}

std::string text_of(const webhook::AmountField& amount) {
    if (amount.at.empty()) return {};
    const bool is_minor = amount.unit == webhook::AmountField::Unit::minor;
    return joined(amount.at, " or ", [](const webhook::Pointer& place) { return place.text(); }) +
           (is_minor ? " (minor units)" : " (decimal)");
}

std::string text_of(const std::vector<webhook::TimeField>& fields) {
    return joined(fields, " or ", [](const webhook::TimeField& field) {
        return webhook::name_of(webhook::Facts{{field.at}}) +
               (field.zone.empty() ? "" : " (" + field.zone + ")");
    });
}

std::string facts_of(const webhook::PaymentFields& fields) {
    std::string text;
    const auto add = [&text](PaymentFact fact, const std::string& place) {
        if (place.empty()) return;
        text += (text.empty() ? "" : ", ") +
                std::string{webhook::payment_facts[static_cast<std::size_t>(fact)]} + " " + place;
    };
    add(PaymentFact::reference, text_of(fields.reference));
    add(PaymentFact::transaction, text_of(fields.transaction));
    add(PaymentFact::refund, text_of(fields.refund));
    add(PaymentFact::amount, text_of(fields.amount));
    add(PaymentFact::refunded_total, text_of(fields.refunded_total));
    add(PaymentFact::currency, text_of(fields.currency));
    add(PaymentFact::paid_at, text_of(fields.paid_at));
    add(PaymentFact::payer, text_of(fields.payer));
    return text;
}

}  // namespace

std::vector<PaymentText> payments_of(const webhook::Recipe& recipe) {
    std::vector<PaymentText> texts;
    if (!recipe.payment) return texts;
    for (const webhook::PaymentCase& one : recipe.payment->cases) {
        const bool says = !one.kind.empty();
        texts.push_back({says ? one.kind : "none", when_of(one), says ? facts_of(one.fields) : ""});
    }
    return texts;
}

}  // namespace sluice::ctl
