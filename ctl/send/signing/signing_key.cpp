#include "ctl/send/signing/signing_key.hpp"

#include <algorithm>

#include "common/crypto/hmac.hpp"
#include "common/crypto/random.hpp"

namespace sluice::ctl {
namespace {

using webhook::Algorithm;
using webhook::Key;

std::string joined(std::span<const std::string_view> pieces) {
    std::string text;
    for (const auto piece : pieces) text += piece;
    return text;
}

}  // namespace

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
    if (private_) return private_->sign(joined(text));
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
