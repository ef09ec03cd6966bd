#pragma once

#include <span>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/secret.hpp"

namespace sluice::consumer {

/// The signature header of Standard Webhooks (spec "Signature scheme", symmetric): "v1," and base64 of
/// HMAC-SHA256 over "id.timestamp.body", for each key, with a space between. While a secret is rolled a
/// receiver takes either.
[[nodiscard]] std::string webhook_signature(std::span<const Secret> keys, std::string_view id,
                                            std::string_view timestamp, std::string_view body);

}  // namespace sluice::consumer
