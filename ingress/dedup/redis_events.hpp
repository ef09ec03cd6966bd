#pragma once

#include <functional>

#include <hiredis/async.h>

#include "ingress/asio/asio.hpp"

namespace sluice::dedup {

/// hiredis on Asio: gives `context` its readiness events from `io`, to the contract of hiredis' own
/// adapters (addRead, delRead, addWrite, delWrite, cleanup, scheduleTimer). Everything written in one
/// turn of the loop leaves in one write. `after_reading` is called when hiredis has delivered all replies
/// that had come, and not inside its callbacks. Lives until hiredis calls cleanup. False when the context
/// has an adapter already or its socket cannot be watched.
[[nodiscard]] bool attach(redisAsyncContext& context, ingress::asio::io_context& io,
                          std::function<void()> after_reading);

/// Whether commands from now on may wait in the buffer until one that may not is sent, or until `flush`. A
/// separate write costs more than any command.
void may_wait(redisAsyncContext& context, bool patient);
void flush(redisAsyncContext& context);

}  // namespace sluice::dedup
