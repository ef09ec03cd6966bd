#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "common/crypto/digest.hpp"
#include "common/secret.hpp"

struct evp_mac_ctx_st;

namespace sluice::crypto {

/// HMAC-SHA256 under one key. The keyed state is set up once and started again for each message
/// (EVP_MAC_init with a null key: performance.md section 4). Not thread-safe: one per thread and key.
class HmacSha256 {
public:
    explicit HmacSha256(const Secret& key);
    ~HmacSha256();
    HmacSha256(HmacSha256&&) noexcept;
    HmacSha256& operator=(HmacSha256&&) noexcept;

    /// Over the segments as if they were one string.
    [[nodiscard]] Digest operator()(std::span<const std::string_view> segments);

private:
    struct Free {
        void operator()(evp_mac_ctx_st*) const noexcept;
    };
    std::unique_ptr<evp_mac_ctx_st, Free> context_;
};

}  // namespace sluice::crypto
