#include "ingress/config/certificate_reload.hpp"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "common/config/secret_reference.hpp"
#include "common/crypto/certificate.hpp"
#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "common/webhook/recipe/whole_file.hpp"
#include "ingress/connection/stream.hpp"

namespace sluice::ingress {
namespace {

constexpr std::size_t most_bytes_of_a_pair = 1 << 20;

double in_seconds(WallTime time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
}

/// Exports from when and until when the first certificate of a PEM file is valid, for the alerts before its
/// end. A file that cannot be read exports nothing: read() has refused it already.
void export_validity(const std::string& cert_file, Metrics& metrics) {
    const auto pem = webhook::read_whole_file(cert_file, most_bytes_of_a_pair);
    if (!pem) return;
    const auto chain = crypto::Certificates::from_pem(*pem);
    const auto begin = chain ? chain->not_before() : std::nullopt;
    const auto end = chain ? chain->not_after() : std::nullopt;
    if (!begin || !end) return;
    metrics
        .gauge("sluice_ingress_certificate_not_before_seconds",
               "From when the listener's certificate is valid, in seconds since 1970")
        .Set(in_seconds(*begin));
    metrics
        .gauge("sluice_ingress_certificate_not_after_seconds",
               "When the listener's certificate expires, in seconds since 1970")
        .Set(in_seconds(*end));
}

}  // namespace

CertificateReload::CertificateReload(const config::Tls& files, std::function<void(const Tls&)> use, Log& log,
                                     Metrics& metrics)
    : files_{files},
      use_{std::move(use)},
      log_{log},
      metrics_{metrics},
      failed_{metrics.gauge(
          "sluice_ingress_certificate_reload_failed",
          "1 while the listener's new certificate or key cannot be read and the old pair is kept")},
      tried_{fingerprint()},
      tls_{read()} {
    failed_.Set(0);
    export_validity(files.cert_file, metrics);
}

void CertificateReload::check() {
    std::string now = fingerprint();
    if (now == tried_) return;
    tried_ = std::move(now);
    reload();
}

void CertificateReload::force() {
    tried_ = fingerprint();
    reload();
}

std::string CertificateReload::fingerprint() const {
    crypto::PartsDigest digest;
    digest.begin();
    for (const std::string& file : {files_.cert_file, files_.key_file}) {
        const crypto::Digest content = config::digest_of_content(file, most_bytes_of_a_pair);
        digest.part(crypto::as_text(content));
    }
    return crypto::to_hex(digest.finish());
}

CertificateReload::Tls CertificateReload::read() const {
    return connection::server_tls(files_.cert_file, files_.key_file);
}

void CertificateReload::reload() {
    try {
        tls_ = read();
    } catch (const std::runtime_error& error) {
        failed_.Set(1);
        log_.error("certificate_reload_failed", {{"why", std::string_view{error.what()}}});
        return;
    }
    use_(tls_);
    export_validity(files_.cert_file, metrics_);
    failed_.Set(0);
    log_.info("certificate_reloaded", {{"file", std::string_view{files_.cert_file}}});
}

}  // namespace sluice::ingress
