#include "ingress/connection/peer_certificate.hpp"

#include <ctime>
#include <memory>

#include <openssl/bio.h>
#include <openssl/x509v3.h>

namespace sluice::connection {
namespace {

std::string text_of(const ASN1_STRING* string) {
    return {reinterpret_cast<const char*>(ASN1_STRING_get0_data(string)),
            static_cast<std::size_t>(ASN1_STRING_length(string))};
}

std::optional<std::string> subject_of(const X509& certificate) {
    const std::unique_ptr<BIO, decltype(&BIO_free_all)> out{BIO_new(BIO_s_mem()), &BIO_free_all};
    const X509_NAME* const name = X509_get_subject_name(&certificate);
    if (!out || X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_RFC2253) < 0) return std::nullopt;
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(out.get(), &bytes);
    return std::string{bytes, static_cast<std::size_t>(size)};
}

void read_names(const X509& certificate, PeerCertificate& peer) {
    const std::unique_ptr<GENERAL_NAMES, decltype(&GENERAL_NAMES_free)> names{
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)),
        &GENERAL_NAMES_free};
    for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
        const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type == GEN_DNS) peer.dns.push_back(text_of(name->d.dNSName));
        if (name->type == GEN_URI) peer.uris.push_back(text_of(name->d.uniformResourceIdentifier));
    }
}

std::optional<WallTime> end_of(const X509& certificate) {
    std::tm parts{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(&certificate), &parts) != 1) return std::nullopt;
    return WallTime{std::chrono::seconds{::timegm(&parts)}};
}

}  // namespace

std::optional<PeerCertificate> read_peer(X509& certificate) {
    auto subject = subject_of(certificate);
    const auto ends = end_of(certificate);
    if (!subject || !ends) return std::nullopt;
    PeerCertificate peer{.subject = *std::move(subject), .dns = {}, .uris = {}, .ends = *ends};
    read_names(certificate, peer);
    return peer;
}

}  // namespace sluice::connection
