#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/config/section.hpp"
#include "ingress/connection/peer_certificate.hpp"

namespace sluice::command {

/// By what a caller's certificate is known.
struct CertificateName {
    enum class Of : std::uint8_t { subject, dns, uri };
    Of of = Of::subject;
    std::string name;

    bool operator==(const CertificateName&) const = default;
};

/// Byte for byte: the whole subject; one of the DNS names; the URI, where the certificate has exactly one, as
/// SPIFFE has it. No wildcard, no case folded. Pure.
[[nodiscard]] bool is_of(const connection::PeerCertificate& certificate, const CertificateName& name);

/// `certificate: {subject: TEXT}`, `{dns: NAME}` or `{uri: URI}` of a caller; nullopt: it has none, or what
/// is wrong with it is among the problems.
[[nodiscard]] std::optional<CertificateName> read_certificate_name(config::Section& caller);

}  // namespace sluice::command
