#pragma once

#include <memory>
#include <string_view>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

namespace sluice::crypto {

// Owners of what OpenSSL returns.
using KeyHandle = std::unique_ptr<EVP_PKEY, decltype([](EVP_PKEY* key) { EVP_PKEY_free(key); })>;
using CipherHandle =
    std::unique_ptr<EVP_CIPHER_CTX, decltype([](EVP_CIPHER_CTX* cipher) { EVP_CIPHER_CTX_free(cipher); })>;
using DigestHandle =
    std::unique_ptr<EVP_MD_CTX, decltype([](EVP_MD_CTX* context) { EVP_MD_CTX_free(context); })>;
using BioHandle = std::unique_ptr<BIO, decltype([](BIO* bio) { BIO_free(bio); })>;
using X509Handle = std::unique_ptr<X509, decltype([](X509* certificate) { X509_free(certificate); })>;
using StoreHandle = std::unique_ptr<X509_STORE, decltype([](X509_STORE* store) { X509_STORE_free(store); })>;
using StoreContextHandle =
    std::unique_ptr<X509_STORE_CTX, decltype([](X509_STORE_CTX* context) { X509_STORE_CTX_free(context); })>;
/// The stack alone, not what is on it.
using X509Stack =
    std::unique_ptr<STACK_OF(X509), decltype([](STACK_OF(X509) * stack) { sk_X509_free(stack); })>;

[[nodiscard]] inline const unsigned char* input_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

[[nodiscard]] inline BioHandle reader_of(std::string_view text) {
    return BioHandle{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))};
}

}  // namespace sluice::crypto
