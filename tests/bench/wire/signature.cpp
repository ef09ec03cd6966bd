#include "tests/bench/wire/signature.hpp"

#include <stdexcept>

#include <openssl/core_names.h>
#include <openssl/evp.h>

namespace sluice::bench {
namespace {

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

void Signature::Free::operator()(evp_mac_ctx_st* context) const noexcept {
    EVP_MAC_CTX_free(context);
}

Signature::Signature(std::string_view key) {
    EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
    context_.reset(EVP_MAC_CTX_new(mac));
    EVP_MAC_free(mac);
    std::array<char, 7> digest{"SHA256"};
    const std::array<OSSL_PARAM, 2> parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_end()};
    if (EVP_MAC_init(context_.get(), bytes_of(key), key.size(), parameters.data()) != 1)
        throw std::runtime_error{"OpenSSL refuses the key"};
}

Signature::Bytes Signature::operator()(std::string_view time, std::string_view body) {
    Bytes result{};
    std::size_t length = result.size();
    EVP_MAC_init(context_.get(), nullptr, 0, nullptr);
    EVP_MAC_update(context_.get(), bytes_of(time), time.size());
    EVP_MAC_update(context_.get(), bytes_of("."), 1);
    EVP_MAC_update(context_.get(), bytes_of(body), body.size());
    EVP_MAC_final(context_.get(), result.data(), &length, result.size());
    return result;
}

}  // namespace sluice::bench
