#pragma once

#include <expected>
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

/// `statement` with :names. Otherwise the sentence that says what is wrong.
[[nodiscard]] std::expected<PreparedText, std::string> read_prepared(std::string_view statement,
                                                                     NameScope& names);

}  // namespace sluice::effects
