#pragma once

#include <optional>

#include "consumer/record/record.hpp"
#include "consumer/store/inbox/inbox.hpp"
#include "consumer/store/inbox/payload.hpp"

namespace sluice::consumer {

/// A finished event as the main role had polled it, from its inbox row and its archived request. The item
/// owns the record. nullopt: what is archived is not that event's request (that of an edited one may be a
/// whole delivery). The broker's time stamp is not kept: the time of receipt stands for it.
[[nodiscard]] std::optional<Item> past_event(const store::InboxRow& row, store::Payload payload);

}  // namespace sluice::consumer
