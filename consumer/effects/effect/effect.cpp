#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

std::optional<Verdict> Effect::evaluate(const EventBody& body, std::vector<store::Datum>& values) const {
    for (const Parameter& parameter : let()) {
        const auto value = value_of(parameter, body);
        if (!value) {
            return Verdict{Outcome::park, value.error(), name(),
                           why_no_value(parameter, value.error(), body)};
        }
        values.push_back(*value);
    }
    return std::nullopt;
}

Verdict Effect::run(const EventView& event, store::Connection& connection) const {
    std::vector<store::Datum> values;
    values.reserve(let().size());
    if (auto failed = evaluate(event.body, values)) return std::move(*failed);
    return apply({values, event.headers}, connection);
}

}  // namespace sluice::effects
