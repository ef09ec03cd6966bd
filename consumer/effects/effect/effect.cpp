#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {
namespace {

std::expected<store::Datum, NoValue> made_of(const Parameter& parameter, const EventValues& before,
                                             std::pmr::memory_resource& made) {
    return parameter.made->make(before, made).transform_error([&](std::error_code error) {
        return NoValue{error, parameter.name + ": " + error.message()};
    });
}

}  // namespace

Result<void> Effect::check(store::Connection& connection, config::Problems& problems,
                           std::vector<Lack>& missing) const {
    if (heading_.decide) {
        if (auto done = heading_.decide->check(name(), connection, problems, missing); !done) return done;
    }
    return check_statements(connection, problems, missing);
}

std::optional<Verdict> Effect::evaluate(const EventView& event, std::vector<store::Datum>& values,
                                        std::pmr::memory_resource& made) const {
    const std::size_t first = values.size();
    for (const Parameter& parameter : let()) {
        auto value =
            parameter.made
                ? made_of(parameter, {std::span{values}.subspan(first), event.headers, &event.body}, made)
                : value_of(parameter, event, made);
        if (!value) {
            NoValue& none = value.error();
            return Verdict{Outcome::park, none.error, name(), std::move(none.why), {}, none.quotes_event};
        }
        values.push_back(*value);
    }
    return std::nullopt;
}

Verdict Effect::run(const EventView& event, store::Connection& connection) const {
    std::pmr::monotonic_buffer_resource made;  // takes memory only where a value has to be made
    std::vector<store::Datum> values;
    values.reserve(let().size());
    if (auto failed = evaluate(event, values, made)) return std::move(*failed);
    const EventValues its{values, event.headers, &event.body};
    if (!heading_.decide) return apply(its, connection);
    auto decided = heading_.decide->run(name(), its, connection);
    return decided.outcome == Outcome::done ? apply(its, connection) : std::move(decided);
}

}  // namespace sluice::effects
