#include "common/crypto/hmac.hpp"

#include <array>
#include <new>
#include <stdexcept>
#include <string>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "common/crypto/segments.hpp"

namespace sluice::crypto {
namespace {

EVP_MAC* hmac_algorithm() {
    static EVP_MAC* const algorithm = EVP_MAC_fetch(nullptr, OSSL_MAC_NAME_HMAC, nullptr);
    if (algorithm == nullptr) throw std::runtime_error{"OpenSSL does not offer HMAC"};
    return algorithm;
}

const unsigned char* as_octets(std::string_view text) noexcept {
    return reinterpret_cast<const unsigned char*>(text.data());
}

void require_mac(int answer) {
    if (answer != 1) throw std::runtime_error{"OpenSSL failed to compute an HMAC"};
}

}  // namespace

void Hmac::Free::operator()(evp_mac_ctx_st* context) const noexcept {
    EVP_MAC_CTX_free(context);
}

Hmac::Hmac(const Secret& key, std::string_view hash) : context_{EVP_MAC_CTX_new(hmac_algorithm())} {
    if (context_ == nullptr) throw std::bad_alloc{};
    std::string name{hash};
    const std::array parameters{OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
                                OSSL_PARAM_construct_end()};
    const auto bytes = key.bytes();
    require_mac(EVP_MAC_init(context_.get(), as_octets(bytes), bytes.size(), parameters.data()));
}

Hmac::~Hmac() = default;
Hmac::Hmac(Hmac&&) noexcept = default;
Hmac& Hmac::operator=(Hmac&&) noexcept = default;

void Hmac::compute(std::span<const std::string_view> segments, std::span<std::uint8_t> out) {
    require_mac(EVP_MAC_init(context_.get(), nullptr, 0, nullptr));
    take_joined(segments, [&](std::string_view text) {
        require_mac(EVP_MAC_update(context_.get(), as_octets(text), text.size()));
    });
    std::size_t written = 0;
    require_mac(EVP_MAC_final(context_.get(), out.data(), &written, out.size()));
}

}  // namespace sluice::crypto
