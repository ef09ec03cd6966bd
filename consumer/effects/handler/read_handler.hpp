#pragma once

#include <optional>
#include <span>

#include "common/config/section.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/effects/handler/handler_effect.hpp"
#include "consumer/effects/value/name_scope.hpp"

namespace sluice::effects {

/// `handler: NAME` of an effect's section, one of `known`. Problems: an unknown name, a need that `let` lacks
/// or has of another type, a statement that is not allowed, and a body of which a source does not sign all.
/// nullopt: there is no such handler.
[[nodiscard]] std::optional<HandlerCall> read_handler(config::Section& section, const When& when,
                                                      NameScope& names, const webhook::SourceSet& sources,
                                                      std::span<const Handler> known);

}  // namespace sluice::effects
