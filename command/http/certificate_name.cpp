#include "command/http/certificate_name.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::command {
namespace {

using Of = CertificateName::Of;

constexpr std::array<std::pair<std::string_view, Of>, 3> kinds{
    {{"subject", Of::subject}, {"dns", Of::dns}, {"uri", Of::uri}}};

}  // namespace

bool is_of(const connection::PeerCertificate& certificate, const CertificateName& name) {
    switch (name.of) {
        case Of::subject:
            return certificate.subject == name.name;
        case Of::dns:
            return std::ranges::contains(certificate.dns, name.name);
        case Of::uri:
            break;
    }
    return certificate.uris.size() == 1 && certificate.uris.front() == name.name;
}

std::optional<CertificateName> read_certificate_name(config::Section& caller) {
    auto section = caller.section("certificate");
    std::optional<CertificateName> read;
    int count = 0;
    for (const auto& [key, of] : kinds) {
        if (!section.has(key)) continue;
        ++count;
        read = CertificateName{of, section.required_text(key)};
    }
    if (count != 1) section.problem("certificate must have one of subject, dns and uri");
    if (!read || count != 1 || read->name.empty()) return std::nullopt;
    if (read->of == Of::dns && read->name.contains('*'))
        section.problem_at("dns", "a caller's DNS name is one name: it cannot have *");
    return read;
}

}  // namespace sluice::command
