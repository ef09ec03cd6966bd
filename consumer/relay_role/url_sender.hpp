#pragma once

#include <memory>
#include <vector>

#include "common/clock.hpp"
#include "common/secret.hpp"
#include "consumer/destination/destination.hpp"
#include "consumer/relay_role/sender.hpp"

namespace sluice::consumer {

/// A destination that is a URL. Each message is a POST of JSON (consumer/relay_role/post.hpp) with the
/// headers `webhook-id` (the idempotency key, 64 hex digits), `webhook-timestamp` and `webhook-signature` of
/// Standard Webhooks, `idempotency-key`, `sluice-source` and `sluice-effect`, and `traceparent` where the
/// event has one; nothing else of the event is in a header. `to` and `clock` outlive it.
[[nodiscard]] std::unique_ptr<Sender> url_sender(const destination::Url& to, const Clock& clock,
                                                 std::vector<Secret> keys);

}  // namespace sluice::consumer
