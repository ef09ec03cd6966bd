#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

struct evp_md_ctx_st;

namespace sluice::crypto {

/// SHA-256 output, 32 bytes.
using Digest = std::array<std::uint8_t, 32>;

[[nodiscard]] inline std::string_view as_text(const Digest& d) noexcept {
    return {reinterpret_cast<const char*>(d.data()), d.size()};
}

[[nodiscard]] Digest sha256(std::string_view bytes);

/// SHA-1 output, 20 bytes. Only where a provider's scheme requires it.
using Digest160 = std::array<std::uint8_t, 20>;

[[nodiscard]] inline std::string_view as_text(const Digest160& d) noexcept {
    return {reinterpret_cast<const char*>(d.data()), d.size()};
}

[[nodiscard]] Digest160 sha1(std::string_view bytes);

/// SHA-256 over parts whose boundaries are unambiguous: each part is preceded by its length as
/// eight bytes, big-endian. One context is kept and reused; not thread-safe.
class PartsDigest {
public:
    PartsDigest();
    ~PartsDigest();
    PartsDigest(const PartsDigest&) = delete;
    PartsDigest& operator=(const PartsDigest&) = delete;

    void begin();
    void part(std::string_view bytes);
    [[nodiscard]] Digest finish();

private:
    struct Free {
        void operator()(evp_md_ctx_st*) const noexcept;
    };
    void update(std::string_view bytes);

    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

/// Whether both are equal, in a time that depends on their lengths alone (CRYPTO_memcmp).
[[nodiscard]] bool equal_constant_time(std::string_view a, std::string_view b) noexcept;

}  // namespace sluice::crypto
