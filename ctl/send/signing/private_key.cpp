#include "ctl/send/signing/private_key.hpp"

#include <memory>
#include <stdexcept>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "common/crypto/openssl_handles.hpp"

namespace sluice::ctl {

std::optional<PrivateKey> PrivateKey::from_pem(std::string_view pem) {
    // Without a callback OpenSSL would ask for the password on the terminal.
    const auto no_password = [](char*, int, int, void*) { return -1; };
    crypto::KeyHandle key{
        PEM_read_bio_PrivateKey(crypto::reader_of(pem).get(), nullptr, no_password, nullptr)};
    if (!key) return std::nullopt;
    const int kind = EVP_PKEY_base_id(key.get());
    if (kind != EVP_PKEY_RSA && kind != EVP_PKEY_ED25519) return std::nullopt;
    return PrivateKey{std::shared_ptr<EVP_PKEY>{std::move(key)}};
}

bool PrivateKey::is_rsa() const {
    return EVP_PKEY_base_id(key_.get()) == EVP_PKEY_RSA;
}

PrivateKey PrivateKey::another() const {
    EVP_PKEY* const made = is_rsa() ? EVP_RSA_gen(static_cast<unsigned>(EVP_PKEY_bits(key_.get())))
                                    : EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
    if (made == nullptr) throw std::runtime_error{"no key could be created"};
    return PrivateKey{std::shared_ptr<EVP_PKEY>{made, EVP_PKEY_free}};
}

std::string PrivateKey::sign(std::string_view text) const {
    const crypto::DigestHandle context{EVP_MD_CTX_new()};
    const EVP_MD* const hash = is_rsa() ? EVP_sha256() : nullptr;
    std::string signature(static_cast<std::size_t>(EVP_PKEY_size(key_.get())), '\0');
    std::size_t size = signature.size();
    if (!context || EVP_DigestSignInit(context.get(), nullptr, hash, nullptr, key_.get()) != 1 ||
        EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                       crypto::input_of(text), text.size()) != 1)
        throw std::runtime_error{"the private key does not sign"};
    signature.resize(size);
    return signature;
}

std::string PrivateKey::public_half() const {
    const int size = i2d_PUBKEY(key_.get(), nullptr);
    std::string der(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
    auto* out = reinterpret_cast<unsigned char*>(der.data());
    if (size > 0) i2d_PUBKEY(key_.get(), &out);
    return der;
}

}  // namespace sluice::ctl
