#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::fuzz {

struct SigningKey {
    std::string id;
    std::string secret;
    bool live;
};

/// HMAC-SHA256 of "t.body" in hex, by OpenSSL's own function.
[[nodiscard]] std::string signature_by(const SigningKey& key, std::int64_t t, std::string_view body);

/// What Stripe's scheme says of these values of its header: the name of the check that fails, or "key "
/// and the id of the key that signed.
[[nodiscard]] std::string expected_verdict(std::span<const std::string_view> headers,
                                           std::span<const SigningKey> keys, std::int64_t now,
                                           std::string_view body);

}  // namespace sluice::fuzz
