#include "consumer/effects/effect/unsaid_facts.hpp"

#include <algorithm>
#include <map>

#include "common/webhook/recipe/program.hpp"

namespace sluice::effects {
namespace {

using webhook::PaymentFact;

bool says(const webhook::PaymentFields& fields, PaymentFact fact) {
    switch (fact) {
        case PaymentFact::kind:
            return true;
        case PaymentFact::reference:
            return !fields.reference.empty();
        case PaymentFact::transaction:
            return !fields.transaction.empty();
        case PaymentFact::refund:
            return !fields.refund.empty();
        case PaymentFact::amount:
            return !fields.amount.at.empty();
        case PaymentFact::refunded_total:
            return !fields.refunded_total.at.empty();
        case PaymentFact::currency:
            return !fields.currency.empty();
        case PaymentFact::paid_at:
            return !fields.paid_at.empty();
        case PaymentFact::payer:
            return !fields.payer.empty();
    }
    return true;
}

bool is_needed(const Parameter& parameter) {
    return !parameter.optional && parameter.from.size() == 1 &&
           parameter.from.front().from == ValueSource::From::payment && !parameter.from.front().fallback;
}

/// Of the kinds that the recipe tells: whether one of its cases says the fact.
std::map<std::string, bool> kinds_of(const webhook::PaymentRule& rule, PaymentFact fact) {
    std::map<std::string, bool> kinds;
    for (const webhook::PaymentCase& one : rule.cases) kinds[one.kind] |= says(one.fields, fact);
    return kinds;
}

}  // namespace

void doubt_unsaid_facts(const Effect& effect, const webhook::SourceSet& sources, const config::Place& place,
                        config::Problems& problems) {
    const When& when = effect.when();
    if (!when.types().empty() || !when.body_tests().empty()) return;
    for (const auto& source : sources) {
        if (source->program == nullptr || !source->program->payment) continue;
        if (!when.is_for(*source) || !when.trusts(*source)) continue;
        for (const Parameter& parameter : effect.let()) {
            if (!is_needed(parameter)) continue;
            for (const auto& [kind, is_said] : kinds_of(*source->program->payment, parameter.from[0].fact))
                if (!is_said && when.is_for_payment(kind))
                    problems.warn(parameter.place.line > 0 ? parameter.place : place,
                                  "effect '" + effect.name() + "' uses :" + parameter.name + ", which " +
                                      source->recipe + " does not say of " + kind + ": such events park");
        }
    }
}

}  // namespace sluice::effects
