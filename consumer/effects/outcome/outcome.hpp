#pragma once

#include <optional>
#include <string_view>

namespace sluice::effects {

/// What an effect, and with it its event, came to. Everything but done and ignore rolls the
/// transaction back.
enum class Outcome {
    done,
    ignore,  ///< nothing to do, and that is fine
    defer,   ///< "not ours yet": it waits for something that is not there; not an error
    retry,   ///< try again later, followers of the object wait
    park,    ///< cannot be applied as it is: dead-letter
};

[[nodiscard]] std::string_view name_of(Outcome outcome) noexcept;
[[nodiscard]] std::optional<Outcome> outcome_from(std::string_view name) noexcept;

}  // namespace sluice::effects
