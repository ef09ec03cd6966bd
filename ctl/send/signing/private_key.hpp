#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace sluice::ctl {

/// The half of a key pair that signs; wiped when it is let go. No tier has one: for sample traffic only.
class PrivateKey {
public:
    /// PEM, without a password. Nothing unless it is an RSA or an Ed25519 key.
    [[nodiscard]] static std::optional<PrivateKey> from_pem(std::string_view pem);
    /// A new one of the same kind and size. Throws std::runtime_error when the system cannot make one.
    [[nodiscard]] PrivateKey another() const;

    /// RSASSA-PKCS1-v1_5 with SHA-256, or Ed25519. Throws std::runtime_error when OpenSSL refuses.
    [[nodiscard]] std::string sign(std::string_view text) const;
    /// The SubjectPublicKeyInfo in DER, as common/crypto/public_key.hpp has it.
    [[nodiscard]] std::string public_half() const;

private:
    explicit PrivateKey(std::shared_ptr<evp_pkey_st> key) : key_{std::move(key)} {}
    [[nodiscard]] bool is_rsa() const;

    std::shared_ptr<evp_pkey_st> key_;
};

}  // namespace sluice::ctl
