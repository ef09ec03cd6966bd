#pragma once

#include <expected>
#include <string_view>

#include "common/webhook/recipe/certificate_rule.hpp"

namespace sluice::webhook {

/// A certificate's key that signatures may be checked with.
struct Believed {
    crypto::TrustedKey key;
    int bits;  ///< of an RSA modulus
};

/// Why a certificate is not believed.
struct Disbelief {
    enum class Of { name, chain, key };
    Of of;
    std::string_view why;  ///< for people; lives forever
};

/// Whether the first certificate has the source's name, leads to the source's roots at `now`, and has an RSA
/// key of 2048 bits at least. What is looked at first is named first. Pure.
[[nodiscard]] std::expected<Believed, Disbelief> believe(const crypto::Certificates& certificates,
                                                         const CertificateTrust& trust, WallTime now);

}  // namespace sluice::webhook
