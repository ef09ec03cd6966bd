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

std::expected<PreparedText, std::string> read_prepared(std::string_view statement, NameScope& names) {
    auto placeholders = replace_placeholders(statement);
    if (!placeholders) return std::unexpected(placeholders.error());
    PreparedText prepared{std::move(placeholders->text), {}};
    std::string unknown;
    for (const std::string& name : placeholders->names) {
        auto slot = operand_named(name, names);
        if (!slot && unknown.empty()) unknown = unknown_parameter(name);
        if (slot) prepared.slots.push_back(std::move(*slot));
    }
    if (!unknown.empty()) return std::unexpected(unknown);
    return prepared;
}

}  // namespace sluice::effects
