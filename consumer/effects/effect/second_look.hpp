#pragma once

#include <optional>

#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// What an effect whose `when` asks the body comes to without being run: `park` where nobody can tell (the
/// kind of payment, or a place that stands twice), `ignore` where it is for others. Effects match where that
/// cannot be told, so that such an event is never ignored; and between the match and the run the recipe or
/// its source's settings may have changed. nullopt: run it.
[[nodiscard]] std::optional<Verdict> verdict_without_run(const Effect& effect, const EventBody& body);

}  // namespace sluice::effects
