#pragma once

#include <functional>
#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::ingress {

/// The listener's certificate and key, without a restart: on a signal, or when one of the files has other
/// content (Kubernetes swaps links). A pair that cannot be read or does not fit keeps the one in use, is
/// logged once, and sets sluice_ingress_certificate_reload_failed to 1. The main thread's.
class CertificateReload {
public:
    using Tls = std::shared_ptr<boost::asio::ssl::context>;

    /// Reads the pair; throws std::runtime_error that names the file which could not be used. `use` takes
    /// over what is read later; called from `force` and `check`. `files` outlives the object.
    CertificateReload(const config::Tls& files, std::function<void(const Tls&)> use, Log& log,
                      Metrics& metrics);

    [[nodiscard]] const Tls& tls() const noexcept { return tls_; }  ///< never null
    void check();                                                   ///< reloads when something changed
    void force();                                                   ///< reloads in any case

private:
    [[nodiscard]] Tls read() const;
    void reload();

    const config::Tls& files_;
    std::function<void(const Tls&)> use_;
    Log& log_;
    Metrics& metrics_;
    Gauge& failed_;
    std::string tried_;  // fingerprint of what was read last, good or bad: taken before it was read
    Tls tls_;
};

}  // namespace sluice::ingress
