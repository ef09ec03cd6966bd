#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/ssl/context.hpp>

#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"

namespace sluice::ingress {

/// Of the program that listens, if it is not the ingress.
struct ListenerOf {
    Gauge* failed = nullptr;        ///< its own
    bool requires_clients = false;  ///< no handshake without a certificate of theirs
};

/// The listener's certificate and key, without a restart: on a signal, or when one of the files has other
/// content (Kubernetes swaps links); with them the roots of clients' certificates, if the server has any.
/// What cannot be read or does not fit keeps what is in use, is logged once, and sets a gauge to 1, that of
/// the program. The main thread's.
class CertificateReload {
public:
    using Tls = std::shared_ptr<boost::asio::ssl::context>;

    /// Reads the pair; throws std::runtime_error that names the file which could not be used. `use` takes
    /// over what is read later; called from `force` and `check`. `files` outlives the object.
    CertificateReload(const config::Tls& files, std::function<void(const Tls&)> use, Log& log,
                      Metrics& metrics, const ListenerOf& program = {});

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
    const bool requires_clients_;
    Gauge& failed_;
    std::string tried_;  // fingerprint of what was read last, good or bad: taken before it was read
    Tls tls_;
};

}  // namespace sluice::ingress
