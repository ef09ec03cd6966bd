#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "consumer/destination/destination.hpp"
#include "consumer/effects/set_based/change.hpp"

namespace sluice::effects {

/// What a message's body is called among the values of its effect.
inline constexpr std::string_view body_name = "body of the message";

/// `send` of an effect's section: a mapping or a list of them, each a message. Read into insertions into
/// `outbox`, so that batches, trials and rollbacks are those of `insert`. They come last: what an effect
/// locks puts its events in an order, and messages get their ids in it. What is wrong goes to the section's
/// problems: an unknown destination, a key that is a time or bytes, a body that is none, a payment_event
/// to a URL, more than 16 messages, a control character in the effect's name. A key that is
/// the same for all events is a warning.
[[nodiscard]] std::vector<Change> read_sends(config::Section& section, const std::string& effect,
                                             NameScope& names, const destination::Names& destinations);

}  // namespace sluice::effects
