#pragma once

#include "consumer/apply/event.hpp"
#include "consumer/store/driver/connection.hpp"

namespace sluice::consumer {

/// The last check of a transaction that ran effects, or that says what became of them (a failure, a death,
/// the effects of a rerun): errc::stopped where other effects, of a higher revision or under ours, are in
/// force by now, and the caller rolls back. What is recorded between this check and its COMMIT comes too late
/// for it: that is the whole time in which an overtaken process may still apply an event.
[[nodiscard]] Result<void> still_in_force(store::Connection& connection, const Rules& rules);

}  // namespace sluice::consumer
