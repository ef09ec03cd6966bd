#include "common/crypto/public_key.hpp"

#include <algorithm>
#include <stdexcept>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "common/crypto/encoding.hpp"
#include "common/crypto/openssl_handles.hpp"
#include "common/crypto/segments.hpp"

namespace sluice::crypto {
namespace {

const unsigned char* octets_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::optional<std::string> spki_of(EVP_PKEY* key) {
    if (key == nullptr) return std::nullopt;
    unsigned char* der = nullptr;
    const int size = i2d_PUBKEY(key, &der);
    if (size <= 0) return std::nullopt;
    std::string text(reinterpret_cast<const char*>(der), static_cast<std::size_t>(size));
    OPENSSL_free(der);
    return text;
}

/// There is no one here to ask for a passphrase.
int no_passphrase(char*, int, int, void*) {
    return -1;
}

std::optional<std::string> from_pem(std::string_view text) {
    if (const KeyHandle key{PEM_read_bio_PUBKEY(reader_of(text).get(), nullptr, no_passphrase, nullptr)})
        return spki_of(key.get());
    const X509Handle certificate{PEM_read_bio_X509(reader_of(text).get(), nullptr, no_passphrase, nullptr)};
    return certificate ? spki_of(X509_get0_pubkey(certificate.get())) : std::nullopt;
}

std::optional<std::string> from_der(std::string_view der) {
    const unsigned char* at = octets_of(der);
    const auto size = static_cast<long>(der.size());
    if (const KeyHandle key{d2i_PUBKEY(nullptr, &at, size)}; key && at == octets_of(der) + size)
        return spki_of(key.get());
    at = octets_of(der);
    const X509Handle certificate{d2i_X509(nullptr, &at, size)};
    const bool is_whole = certificate && at == octets_of(der) + size;
    return is_whole ? spki_of(X509_get0_pubkey(certificate.get())) : std::nullopt;
}

}  // namespace

std::optional<std::string> public_key_from(std::string_view text) {
    if (text.size() > 64 * 1024) return std::nullopt;
    if (text.contains("-----BEGIN")) return from_pem(text);
    std::string compact(text);
    std::erase_if(compact, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
    const auto der = from_base64(compact);
    return der && !der->empty() ? from_der(*der) : std::nullopt;
}

std::optional<std::string> ed25519_key_from(std::string_view bytes) {
    const KeyHandle key{
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, octets_of(bytes), bytes.size())};
    return spki_of(key.get());
}

std::optional<PublicKeyFacts> facts_of_key(std::string_view spki) {
    const unsigned char* at = octets_of(spki);
    const KeyHandle key{d2i_PUBKEY(nullptr, &at, static_cast<long>(spki.size()))};
    if (!key) return std::nullopt;
    PublicKeyFacts facts;
    facts.bits = EVP_PKEY_get_bits(key.get());
    if (EVP_PKEY_is_a(key.get(), "RSA") == 1) facts.kind = PublicKeyKind::rsa;
    if (EVP_PKEY_is_a(key.get(), "ED25519") == 1) facts.kind = PublicKeyKind::ed25519;
    return facts;
}

void PublicKey::FreeKey::operator()(evp_pkey_st* key) const noexcept {
    EVP_PKEY_free(key);
}
void PublicKey::FreeContext::operator()(evp_md_ctx_st* context) const noexcept {
    EVP_MD_CTX_free(context);
}

PublicKey::PublicKey(std::string_view spki) : context_{EVP_MD_CTX_new()} {
    const unsigned char* at = octets_of(spki);
    key_.reset(d2i_PUBKEY(nullptr, &at, static_cast<long>(spki.size())));
    if (!key_ || !context_) throw std::invalid_argument{"not a public key"};
}

PublicKey::~PublicKey() = default;
PublicKey::PublicKey(PublicKey&&) noexcept = default;
PublicKey& PublicKey::operator=(PublicKey&&) noexcept = default;

bool PublicKey::made_rsa_sha256(std::span<const std::string_view> segments, std::string_view signature) {
    EVP_MD_CTX_reset(context_.get());
    if (EVP_DigestVerifyInit(context_.get(), nullptr, EVP_sha256(), nullptr, key_.get()) != 1) return false;
    bool is_taken = true;
    take_joined(segments, [&](std::string_view text) {
        is_taken &= EVP_DigestVerifyUpdate(context_.get(), text.data(), text.size()) == 1;
    });
    return is_taken && EVP_DigestVerifyFinal(context_.get(), octets_of(signature), signature.size()) == 1;
}

bool PublicKey::made_ed25519(std::string_view text, std::string_view signature) {
    EVP_MD_CTX_reset(context_.get());
    if (EVP_DigestVerifyInit(context_.get(), nullptr, nullptr, nullptr, key_.get()) != 1) return false;
    return EVP_DigestVerify(context_.get(), octets_of(signature), signature.size(), octets_of(text),
                            text.size()) == 1;
}

}  // namespace sluice::crypto
