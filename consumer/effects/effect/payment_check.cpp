#include "consumer/effects/effect/payment_check.hpp"

#include "common/error.hpp"

namespace sluice::effects {

std::optional<Verdict> verdict_without_run(const Effect& effect, const EventBody& body) {
    if (!effect.when().is_for_payments()) return std::nullopt;
    Verdict ignored{Outcome::ignore, {}, {}, {}};
    if (body.payment == nullptr) return ignored;
    const webhook::PaymentValue& kind = (*body.payment)[webhook::PaymentFact::kind];
    if (!kind.trouble.empty())
        return Verdict{Outcome::park, make_error_code(errc::wrong_type), effect.name(), kind.trouble, {},
                       true};
    return effect.when().is_for_payment(std::get<std::string>(kind.value)) ? std::nullopt
                                                                           : std::optional{ignored};
}

}  // namespace sluice::effects
