#include "ingress/config/certificate_reload.hpp"

#include <stdexcept>
#include <utility>

#include "common/config/certificate_gauges.hpp"
#include "common/config/settings/tls_settings.hpp"
#include "ingress/connection/server_tls.hpp"

namespace sluice::ingress {

CertificateReload::CertificateReload(const config::Tls& files, std::function<void(const Tls&)> use, Log& log,
                                     Metrics& metrics, const ListenerOf& program)
    : files_{files},
      use_{std::move(use)},
      log_{log},
      metrics_{metrics},
      requires_clients_{program.requires_clients},
      failed_{
          program.failed != nullptr
              ? *program.failed
              : metrics.gauge(
                    "sluice_ingress_certificate_reload_failed",
                    "1 while the listener's new certificate or key cannot be read and the old pair is kept")},
      tried_{config::fingerprint_of(files)},
      tls_{read()} {
    failed_.Set(0);
    config::export_certificate(metrics, "listener", files.cert_file);
}

void CertificateReload::check() {
    std::string now = config::fingerprint_of(files_);
    if (now == tried_) return;
    tried_ = std::move(now);
    reload();
}

void CertificateReload::force() {
    tried_ = config::fingerprint_of(files_);
    reload();
}

CertificateReload::Tls CertificateReload::read() const {
    return connection::server_tls(files_.cert_file, files_.key_file,
                                  {.ca_file = files_.ca_file, .is_required = requires_clients_});
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
