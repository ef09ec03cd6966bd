#include "consumer/effects/effect/second_look.hpp"

#include "common/error.hpp"

namespace sluice::effects {
namespace {

Verdict ignored() {
    return {Outcome::ignore, {}, {}, {}};
}

std::optional<Verdict> verdict_of_payment(const Effect& effect, const EventBody& body) {
    if (!effect.when().is_for_payments()) return std::nullopt;
    if (body.payment == nullptr) return ignored();
    const webhook::PaymentValue& kind = (*body.payment)[webhook::PaymentFact::kind];
    if (!kind.trouble.empty())
        return Verdict{Outcome::park, make_error_code(errc::wrong_type), effect.name(), kind.trouble, {},
                       true};
    return effect.when().is_for_payment(std::get<std::string>(kind.value)) ? std::nullopt
                                                                           : std::optional{ignored()};
}

std::optional<Verdict> verdict_of_body(const Effect& effect, const EventBody& body) {
    const auto holds = effect.when().holds_in(body.json);
    if (holds) return *holds ? std::nullopt : std::optional{ignored()};
    return Verdict{Outcome::park, holds.error().error, effect.name(),
                   "when.body: " + holds.error().at->text() + ": " + holds.error().error.message()};
}

}  // namespace

std::optional<Verdict> verdict_without_run(const Effect& effect, const EventBody& body) {
    if (!effect.when().asks_body()) return std::nullopt;
    auto verdict = verdict_of_payment(effect, body);
    return verdict ? verdict : verdict_of_body(effect, body);
}

}  // namespace sluice::effects
