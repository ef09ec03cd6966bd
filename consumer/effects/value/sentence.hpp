#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "consumer/effects/value/operand.hpp"

namespace sluice::effects {

/// A sentence of the configuration with values of the event in it: "order :reference has another amount,
/// :amount". For people: control characters are escaped, each value is cut at 128 bytes.
class Sentence {
public:
    /// A :name that nothing stands for is a problem of the value.
    [[nodiscard]] static Sentence read(const config::Value& value, NameScope& names);

    [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }
    [[nodiscard]] std::string text(const EventValues& event) const;

private:
    struct Piece {
        std::string literal;
        std::optional<Operand> value;  ///< behind it
    };
    std::vector<Piece> pieces_;
};

/// One value as a person reads it: NULL, a number, a time in RFC 3339, escaped text.
[[nodiscard]] std::string shown(const store::Datum& value);

}  // namespace sluice::effects
