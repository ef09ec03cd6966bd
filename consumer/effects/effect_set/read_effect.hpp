#pragma once

#include <memory>

#include "common/config/section.hpp"
#include "consumer/effects/effect/effect.hpp"

namespace sluice::effects {

/// One entry of `effects:`, as its kind reads it. A further kind is a folder beside `sql` and `set_based`,
/// and a line here. nullptr where no kind or two are given, or one of a later version: a problem of
/// `section`.
[[nodiscard]] std::unique_ptr<const Effect> read_effect(config::Section section,
                                                        const webhook::SourceSet& sources);

}  // namespace sluice::effects
