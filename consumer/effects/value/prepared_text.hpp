#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "consumer/effects/value/operand.hpp"

namespace sluice::effects {

/// A statement of the configuration, as the server prepares it and as an event's values are bound to it: what
/// an event says never becomes part of a statement's text.
struct PreparedText {
    std::string text;
    std::vector<Operand> slots;  ///< what each ? stands for

    [[nodiscard]] std::vector<store::Datum> bound(const EventValues& event) const;
};

/// `statement`, which stands at `value`, with :names. nullopt: what is wrong is a problem of `value`. A known
/// :name in quotes is a warning.
[[nodiscard]] std::optional<PreparedText> read_prepared(std::string_view statement, NameScope& names,
                                                        const config::Value& value);

}  // namespace sluice::effects
