#pragma once

#include <span>

#include "consumer/apply/event.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// Whether payload rows are written for an event of this status.
[[nodiscard]] bool keeps_payload(config::InboxSettings::Payload payload, store::InboxStatus status) noexcept;

/// The payload rows of these items, in order.
[[nodiscard]] Result<void> insert_payloads(std::span<Item* const> items, store::Connection& connection);

/// The inbox row of one event, and its payload's. False for 1062 from the inbox INSERT: the event is there
/// already, and the caller rolls back.
[[nodiscard]] Result<bool> insert_event(Item& item, const store::InboxEntry& entry,
                                        config::InboxSettings::Payload payload,
                                        store::Connection& connection);

}  // namespace sluice::consumer
