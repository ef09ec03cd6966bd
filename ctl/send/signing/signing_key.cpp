#include "ctl/send/signing/signing_key.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "common/crypto/hmac.hpp"
#include "common/crypto/openssl_handles.hpp"
#include "common/crypto/random.hpp"
#include "common/joined.hpp"

namespace sluice::ctl {
namespace {

using webhook::Algorithm;
using webhook::Key;

}  // namespace

/// The half of a key pair that signs; wiped when it is let go. No tier has one: for sample traffic only.
class PrivateKey {
public:
    /// PEM, without a password. Nothing unless it is an RSA or an Ed25519 key.
    [[nodiscard]] static std::optional<PrivateKey> from_pem(std::string_view pem);
    /// A new one of the same kind and size. Throws std::runtime_error when the system cannot make one.
    [[nodiscard]] PrivateKey another() const;

    /// RSASSA-PKCS1-v1_5 with SHA-256, or Ed25519. Throws std::runtime_error when OpenSSL refuses.
    [[nodiscard]] std::string sign(std::string_view text) const;
    /// The SubjectPublicKeyInfo in DER.
    [[nodiscard]] std::string public_half() const;

private:
    explicit PrivateKey(std::shared_ptr<EVP_PKEY> key) : key_{std::move(key)} {}
    [[nodiscard]] bool is_rsa() const;

    std::shared_ptr<EVP_PKEY> key_;
};

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

std::expected<SigningKey, std::string> SigningKey::of(const webhook::Source& source, WallTime now) {
    const webhook::Program& program = *source.program;
    const auto key = std::ranges::find_if(program.keys, [&](const Key& one) { return one.is_live(now); });
    if (key == program.keys.end() && !program.certificate)
        return std::unexpected("source \"" + source.name + "\" has no key that is live now");
    if (program.certificate || webhook::is_public(*key))
        return std::unexpected("source \"" + source.name +
                               "\" verifies with a public key: give the private one with --signing-key FILE");
    SigningKey signing;
    signing.id_ = key->id;
    signing.label_ = key->label;
    signing.algorithm_ = key->algorithm;
    signing.shared_ = std::make_shared<const Secret>(key->material.clone());
    return signing;
}

std::expected<SigningKey, std::string> SigningKey::from_pem(const webhook::Source& source,
                                                            std::string_view private_key,
                                                            std::string certificate) {
    auto half = PrivateKey::from_pem(private_key);
    if (!half)
        return std::unexpected(
            "the signing key must be an RSA or Ed25519 private key in PEM without a password");
    const webhook::Program& program = *source.program;
    if (program.certificate && program.certificate->hosts.empty() && certificate.empty())
        return std::unexpected("source \"" + source.name +
                               "\" is sent the certificate with each message: give --certificate FILE");
    SigningKey signing;
    if (!program.certificate) {
        const std::string other_half = half->public_half();
        const auto key = std::ranges::find_if(program.keys, [&](const Key& one) {
            return webhook::is_public(one) && one.material.bytes() == other_half;
        });
        if (key == program.keys.end())
            return std::unexpected("the signing key does not match any public key of source \"" +
                                   source.name + "\"");
        signing.id_ = key->id;
        signing.label_ = key->label;
    }
    signing.certificate_ = std::move(certificate);
    signing.private_ = std::make_shared<const PrivateKey>(std::move(*half));
    return signing;
}

SigningKey SigningKey::stranger() const {
    SigningKey other = *this;
    if (private_) other.private_ = std::make_shared<const PrivateKey>(private_->another());
    if (!private_) other.shared_ = std::make_shared<const Secret>(crypto::random_hex(16));
    return other;
}

std::string SigningKey::sign(std::span<const std::string_view> text) const {
    if (private_) return private_->sign(joined(text, ""));
    switch (algorithm_) {
        case Algorithm::hmac_sha256:
            return std::string{crypto::as_text(crypto::HmacSha256(*shared_)(text))};
        case Algorithm::hmac_sha1:
            return std::string{crypto::as_text(crypto::HmacSha1(*shared_)(text))};
        case Algorithm::equal:
        case Algorithm::rsa_sha256:
        case Algorithm::ed25519:
            break;
    }
    return std::string{shared_->bytes()};
}

}  // namespace sluice::ctl
