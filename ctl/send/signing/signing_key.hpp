#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/webhook/recipe/program.hpp"
#include "common/webhook/recipe/source.hpp"

namespace sluice::ctl {

class PrivateKey;

/// What makes the signatures of one source.
class SigningKey {
public:
    /// The first of the source's keys that is live then, where the same key makes and checks signatures; an
    /// error that says what is needed otherwise.
    [[nodiscard]] static std::expected<SigningKey, std::string> of(const webhook::Source& source,
                                                                   WallTime now);
    /// A private key in PEM, which must belong to one of the source's public keys; where the key comes with
    /// the message as a certificate, also that certificate in PEM.
    [[nodiscard]] static std::expected<SigningKey, std::string> from_pem(const webhook::Source& source,
                                                                         std::string_view private_key,
                                                                         std::string certificate);
    /// Of the same kind, and configured nowhere.
    [[nodiscard]] SigningKey stranger() const;

    [[nodiscard]] const std::string& id() const noexcept { return id_; }        ///< as the source names it
    [[nodiscard]] const std::string& label() const noexcept { return label_; }  ///< of its signatures
    [[nodiscard]] const std::string& certificate() const noexcept { return certificate_; }

    /// The bytes of a signature of these pieces, in order.
    [[nodiscard]] std::string sign(std::span<const std::string_view> text) const;

private:
    SigningKey() = default;

    std::string id_;
    std::string label_;
    std::string certificate_;
    webhook::Algorithm algorithm_ = webhook::Algorithm::rsa_sha256;
    std::shared_ptr<const Secret> shared_;  // one of the two
    std::shared_ptr<const PrivateKey> private_;
};

}  // namespace sluice::ctl
