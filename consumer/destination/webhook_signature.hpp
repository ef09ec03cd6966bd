#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/config/problems.hpp"
#include "common/config/secret_reference.hpp"
#include "common/secret.hpp"

namespace sluice::consumer {

/// The signature header of Standard Webhooks (spec "Signature scheme", symmetric): "v1," and base64 of
/// HMAC-SHA256 over "id.timestamp.body", for each key, with a space between. While a secret is rolled a
/// receiver takes either.
[[nodiscard]] std::string webhook_signature(std::span<const Secret> keys, std::string_view id,
                                            std::string_view timestamp, std::string_view body);

/// Those that `secrets` name. What cannot be read, or is no secret of Standard Webhooks, is a problem.
[[nodiscard]] std::vector<Secret> signing_keys(std::span<const config::SecretReference> secrets,
                                               config::Problems& problems);

}  // namespace sluice::consumer
