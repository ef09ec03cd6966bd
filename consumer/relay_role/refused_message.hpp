#pragma once

#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "consumer/store/outbox/outbox.hpp"

namespace sluice::consumer {

/// In one transaction: the message waits for a person, and is an entry of kind `message`.
[[nodiscard]] Result<void> refuse_message(const store::OutboxMessage& message, const std::string& destination,
                                          std::string_view why, WallTime now, store::Connection& connection);

}  // namespace sluice::consumer
