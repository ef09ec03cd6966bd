#pragma once

#include "command/http/reply.hpp"
#include "command/request/answer.hpp"
#include "command/request/request.hpp"

namespace sluice::command {

/// What a caller is told of its request. Pure. Only `executed` and `replayed` show a response: it is stored.
/// They alone have Idempotency-Replayed, by which callers tell them from the answer of a gateway.
[[nodiscard]] Reply reply_to(const Answer& answer, const Key& key);

/// What a look-up tells of a key: {"state", "since", "response"}, of which an absent key has the first only;
/// one that failed has "retryable" and "why" in place of a response.
/// Absence is an answer, so each state is a 200.
[[nodiscard]] Reply reply_to(const Standing& standing);

}  // namespace sluice::command
