#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "common/clock.hpp"
#include "common/crypto/public_key.hpp"
#include "common/webhook/recipe/certificate_rule.hpp"

namespace sluice::webhook {

/// A key that a trusted certificate holds, and for how long that is true without a new check.
struct CertificateKey {
    std::string text;  ///< the certificate or its address, as the message has it
    crypto::PublicKey key;
    std::size_t signature_size;
    WallTime not_before;
    WallTime not_after;
};

/// Keys of the certificates that one thread has seen under one source. Belongs to the thread. A chain is
/// checked again only when time has passed one of its ends: only the clock can invalidate it, and what is
/// not trusted is not remembered.
class CertificateKeys {
public:
    /// Null when `text` is or names no certificate that is to be trusted at `now`.
    [[nodiscard]] CertificateKey* find(const CertificateTrust& trust, std::string_view text, WallTime now);

private:
    std::array<std::optional<CertificateKey>, 8> known_;
    std::size_t next_ = 0;
};

}  // namespace sluice::webhook
