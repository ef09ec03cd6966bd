#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "common/crypto/digest.hpp"
#include "common/secret.hpp"

struct evp_mac_ctx_st;

namespace sluice::crypto {

/// HMAC under one key. The keyed state is set up once and started again for each message
/// (EVP_MAC_init with a null key). Not thread-safe: one per thread and key.
class Hmac {
public:
    ~Hmac();
    Hmac(Hmac&&) noexcept;
    Hmac& operator=(Hmac&&) noexcept;

protected:
    Hmac(const Secret& key, std::string_view hash);
    void compute(std::span<const std::string_view> segments, std::span<std::uint8_t> out);

private:
    struct Free {
        void operator()(evp_mac_ctx_st*) const noexcept;
    };
    std::unique_ptr<evp_mac_ctx_st, Free> context_;
};

class HmacSha256 : private Hmac {
public:
    explicit HmacSha256(const Secret& key) : Hmac{key, "SHA256"} {}

    /// Over the segments as if they were one string.
    [[nodiscard]] Digest operator()(std::span<const std::string_view> segments) {
        Digest digest;
        compute(segments, digest);
        return digest;
    }
};

class HmacSha1 : private Hmac {
public:
    explicit HmacSha1(const Secret& key) : Hmac{key, "SHA1"} {}

    [[nodiscard]] Digest160 operator()(std::span<const std::string_view> segments) {
        Digest160 digest;
        compute(segments, digest);
        return digest;
    }
};

}  // namespace sluice::crypto
