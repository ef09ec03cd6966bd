#include "consumer/effects/value/prepared_text.hpp"

#include <utility>

#include "consumer/effects/value/placeholders.hpp"

namespace sluice::effects {

std::vector<store::Datum> PreparedText::bound(const EventValues& event) const {
    std::vector<store::Datum> values;
    values.reserve(slots.size());
    for (const Operand& slot : slots) values.push_back(value_of(slot, event).value());  // none is negative
    return values;
}

std::optional<PreparedText> read_prepared(std::string_view statement, NameScope& names,
                                          const config::Value& value) {
    const auto problems_before = value.problems().count();
    auto placeholders = replace_placeholders(statement);
    if (!placeholders) {
        value.problem(placeholders.error());
        return std::nullopt;
    }
    PreparedText prepared{std::move(placeholders->text), {}};
    for (const std::string& name : placeholders->names) {
        auto slot = operand_named(name, names);
        if (!slot) value.problem(names.unknown(name));
        if (slot) prepared.slots.push_back(std::move(*slot));
    }
    for (const std::string& name : placeholders->quoted)
        if (names.knows(name))
            value.problems().warn(
                value.place(), ":" + name + " in quotes is text, not the value: take it out of the quotes");
    if (value.problems().count() != problems_before) return std::nullopt;
    return prepared;
}

}  // namespace sluice::effects
