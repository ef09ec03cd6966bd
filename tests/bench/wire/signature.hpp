#pragma once

#include <array>
#include <memory>
#include <string_view>

struct evp_mac_ctx_st;

namespace sluice::bench {

/// HMAC-SHA256 under one key, the keyed state kept from one message to the next. One thread.
class Signature {
public:
    static constexpr std::size_t size = 32;
    using Bytes = std::array<unsigned char, size>;

    explicit Signature(std::string_view key);
    /// Over `time`, a dot and `body`: what Stripe signs.
    [[nodiscard]] Bytes operator()(std::string_view time, std::string_view body);

private:
    struct Free {
        void operator()(evp_mac_ctx_st*) const noexcept;
    };
    std::unique_ptr<evp_mac_ctx_st, Free> context_;
};

}  // namespace sluice::bench
