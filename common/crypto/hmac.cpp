#include "common/crypto/hmac.hpp"

#include <array>
#include <new>
#include <stdexcept>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

namespace sluice::crypto {
namespace {

EVP_MAC* hmac_algorithm() {
    static EVP_MAC* const algorithm = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
    if (algorithm == nullptr) throw std::runtime_error{"OpenSSL offers no HMAC"};
    return algorithm;
}

const unsigned char* as_octets(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}

void require_mac(int answer) {
    if (answer != 1) throw std::runtime_error{"OpenSSL failed to compute HMAC-SHA256"};
}

}  // namespace

void HmacSha256::Free::operator()(evp_mac_ctx_st* context) const noexcept {
    EVP_MAC_CTX_free(context);
}

HmacSha256::HmacSha256(const Secret& key) : context_{EVP_MAC_CTX_new(hmac_algorithm())} {
    if (context_ == nullptr) throw std::bad_alloc{};
    std::array<char, 7> name{"SHA256"};
    const std::array parameters{OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
                                OSSL_PARAM_construct_end()};
    const auto bytes = key.bytes();
    require_mac(EVP_MAC_init(context_.get(), as_octets(bytes), bytes.size(), parameters.data()));
}

HmacSha256::~HmacSha256() = default;
HmacSha256::HmacSha256(HmacSha256&&) noexcept = default;
HmacSha256& HmacSha256::operator=(HmacSha256&&) noexcept = default;

Digest HmacSha256::operator()(std::span<const std::string_view> segments) {
    require_mac(EVP_MAC_init(context_.get(), nullptr, 0, nullptr));
    for (const auto segment : segments) {
        require_mac(EVP_MAC_update(context_.get(), as_octets(segment), segment.size()));
    }
    Digest digest;
    std::size_t written = 0;
    require_mac(EVP_MAC_final(context_.get(), digest.data(), &written, digest.size()));
    return digest;
}

}  // namespace sluice::crypto
