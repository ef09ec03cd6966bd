#include "common/webhook/signature/certificate_belief.hpp"

#include <optional>
#include <ranges>
#include <utility>

#include "common/crypto/public_key.hpp"

namespace sluice::webhook {

namespace {

constexpr int least_bits = 2048;

/// Part number `part` of the name, from 1; nothing when it has fewer.
std::optional<std::string_view> part_of(std::string_view name, const CertificateRule& rule) {
    std::size_t number = 0;
    for (const auto part : std::views::split(name, rule.separator)) {
        if (++number == rule.part) return std::string_view(part);
    }
    return std::nullopt;
}

/// The CA issues to others too: only the name identifies the provider.
bool is_named(const crypto::Certificates& certificates, const CertificateTrust& trust) {
    const auto names = certificates.common_names();
    if (names.size() != 1) return false;
    if (trust.rule.part != 0) return part_of(names.front(), trust.rule) == trust.name;
    return names.front().ends_with(trust.name);
}

std::unexpected<Disbelief> disbelief(Disbelief::Of of, std::string_view why) {
    return std::unexpected{Disbelief{of, why}};
}

}  // namespace

std::expected<Believed, Disbelief> believe(const crypto::Certificates& certificates,
                                           const CertificateTrust& trust, WallTime now) {
    if (!is_named(certificates, trust)) return disbelief(Disbelief::Of::name, "subject does not match");
    auto key = trust.store.key_of(certificates, now);
    if (!key) return disbelief(Disbelief::Of::chain, key.error());
    const auto facts = crypto::facts_of_key(key->spki);
    if (!facts || facts->kind != crypto::PublicKeyKind::rsa)
        return disbelief(Disbelief::Of::key, "key is not RSA");
    if (facts->bits < least_bits) return disbelief(Disbelief::Of::key, "key has less than 2048 bits");
    return Believed{std::move(*key), facts->bits};
}

}  // namespace sluice::webhook
