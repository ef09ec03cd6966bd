#pragma once

#include <hiredis/hiredis.h>

#include "ingress/dedup/claim_protocol.hpp"

namespace sluice::dedup {

/// What the claim protocol needs to know of a reply; null (the connection is gone) is Kind::none. Copies
/// at most `longest_text` bytes. Pure.
[[nodiscard]] Reply reply_from(const redisReply* reply);

}  // namespace sluice::dedup
