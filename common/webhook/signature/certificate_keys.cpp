#include "common/webhook/signature/certificate_keys.hpp"

#include "common/webhook/http/trimmed.hpp"
#include "common/webhook/signature/certificate_belief.hpp"

namespace sluice::webhook {

namespace {

constexpr std::size_t longest_certificate = 16 * 1024;

/// One certificate, and nothing around it: of two, readers could choose differently.
std::optional<crypto::Certificates> single_certificate(std::string_view text) {
    const std::string_view whole = trimmed(text, " \t\r\n");
    if (text.size() > longest_certificate || !whole.starts_with("-----BEGIN CERTIFICATE-----") ||
        !whole.ends_with("-----END CERTIFICATE-----"))
        return std::nullopt;
    auto certificates = crypto::Certificates::from_pem(text);
    if (certificates && certificates->size() != 1) certificates.reset();
    return certificates;
}

std::optional<CertificateKey> trusted_key(const crypto::Certificates& certificates,
                                          const CertificateTrust& trust, std::string_view text,
                                          WallTime now) {
    const auto believed = believe(certificates, trust, now);
    if (!believed) return std::nullopt;
    const auto& [key, bits] = *believed;
    return CertificateKey{std::string{text}, crypto::PublicKey{key.spki},
                          static_cast<std::size_t>(bits + 7) / 8, key.not_before, key.not_after};
}

std::optional<CertificateKey> key_named_by(const CertificateTrust& trust, std::string_view text,
                                           WallTime now) {
    if (trust.rule.hosts_setting.empty()) {
        const auto inside = single_certificate(text);
        return inside ? trusted_key(*inside, trust, text, now) : std::nullopt;
    }
    const crypto::Certificates* const found =
        is_address_at(text, trust.hosts) ? trust.cache.find(text) : nullptr;
    return found == nullptr ? std::nullopt : trusted_key(*found, trust, text, now);
}

}  // namespace

CertificateKey* CertificateKeys::find(const CertificateTrust& trust, std::string_view text, WallTime now) {
    for (auto& one : known_) {
        if (one && one->text == text && now >= one->not_before && now < one->not_after) return &*one;
    }
    auto key = key_named_by(trust, text, now);
    if (!key) return nullptr;
    auto& place = known_[next_++ % known_.size()];
    place = std::move(key);
    return &*place;
}

}  // namespace sluice::webhook
