#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

Result<void> Effect::check(store::Connection& connection, config::Problems& problems,
                           std::vector<Lack>& missing) const {
    if (heading_.decide) {
        if (auto done = heading_.decide->check(name(), connection, problems, missing); !done) return done;
    }
    return check_statements(connection, problems, missing);
}

std::optional<Verdict> Effect::evaluate(const EventBody& body, std::vector<store::Datum>& values) const {
    for (const Parameter& parameter : let()) {
        const auto value = value_of(parameter, body);
        if (!value) {
            Verdict verdict{Outcome::park, value.error(), name(),
                            why_no_value(parameter, value.error(), body)};
            verdict.quotes_event = parameter.fact.has_value();
            return verdict;
        }
        values.push_back(*value);
    }
    return std::nullopt;
}

Verdict Effect::run(const EventView& event, store::Connection& connection) const {
    std::vector<store::Datum> values;
    values.reserve(let().size());
    if (auto failed = evaluate(event.body, values)) return std::move(*failed);
    const EventValues its{values, event.headers};
    if (!heading_.decide) return apply(its, connection);
    auto decided = heading_.decide->run(name(), its, connection);
    return decided.outcome == Outcome::done ? apply(its, connection) : std::move(decided);
}

}  // namespace sluice::effects
