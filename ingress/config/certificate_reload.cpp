#include "ingress/config/certificate_reload.hpp"

#include <stdexcept>
#include <utility>

#include "common/config/certificate_gauges.hpp"
#include "common/config/secret_reference.hpp"
#include "common/crypto/digest.hpp"
#include "common/crypto/encoding.hpp"
#include "ingress/connection/stream.hpp"

namespace sluice::ingress {
namespace {

constexpr std::size_t most_bytes_of_a_pair = 1 << 20;

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
    config::export_certificate(metrics, "listener", files.cert_file);
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
    config::export_certificate(metrics_, "listener", files_.cert_file);
    failed_.Set(0);
    log_.info("certificate_reloaded", {{"file", std::string_view{files_.cert_file}}});
}

}  // namespace sluice::ingress
