#pragma once

#include <span>
#include <string>
#include <vector>

#include "consumer/effects/set_based/change.hpp"

namespace sluice::effects {

/// `send` of an effect's section: a mapping or a list of them, each a message. Read into insertions into
/// `outbox`, so that batches, trials and rollbacks are those of `insert`. They come last: what an effect
/// locks puts its events in an order, and messages get their ids in it. What is wrong goes to the section's
/// problems: an unknown destination, a key that is a time or bytes, a body that is none, more than 16
/// messages, a control character in the effect's name. A key that is
/// the same for all events is a warning.
[[nodiscard]] std::vector<Change> read_sends(config::Section& section, const std::string& effect,
                                             NameScope& names, std::span<const std::string> destinations);

}  // namespace sluice::effects
