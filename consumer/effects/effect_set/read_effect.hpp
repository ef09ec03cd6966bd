#pragma once

#include <memory>
#include <span>
#include <string>

#include "common/config/section.hpp"
#include "consumer/destination/destination.hpp"
#include "consumer/effects/effect/effect.hpp"
#include "consumer/effects/handler/handler.hpp"

namespace sluice::effects {

/// One entry of `effects:`, as its kind reads it. A further kind is a folder beside `sql`, `set_based` and
/// `handler`, and a line here. nullptr where no kind or two are given: a problem of `section`. `handlers` are
/// those that kind `handler` may name, `destinations` those that `send` may.
[[nodiscard]] std::unique_ptr<const Effect> read_effect(config::Section section,
                                                        const webhook::SourceSet& sources,
                                                        const destination::Names& destinations,
                                                        std::span<const Handler> handlers);

/// One without `when`, `retry` and what else is about events in order: whoever runs it says for what, and
/// what it is called. Of any kind but mirror and handler. `names` was made of `section`; its values are the
/// effect's `let`, and others may still use them before complain_of_unused.
[[nodiscard]] std::unique_ptr<const Effect> read_unmatched_effect(config::Section& section, std::string name,
                                                                  const destination::Names& destinations,
                                                                  NameScope& names);

}  // namespace sluice::effects
