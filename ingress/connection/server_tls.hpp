#pragma once

#include <memory>
#include <string>

#include <boost/asio/ssl/context.hpp>

namespace sluice::connection {

/// Which clients' certificates are believed: those that lead to `ca_file`. Empty: none is asked for.
struct ClientTrust {
    std::string ca_file{};
    bool is_required = false;  ///< no handshake without one
};

/// TLS 1.2 and 1.3, no renegotiation, no compression, no early data, ALPN http/1.1. With trust in clients no
/// session is resumed: it would bring a certificate along that nobody verified again. Throws
/// std::runtime_error that names the file which could not be used.
[[nodiscard]] std::unique_ptr<boost::asio::ssl::context> server_tls(const std::string& cert_file,
                                                                    const std::string& key_file,
                                                                    const ClientTrust& clients = {});

}  // namespace sluice::connection
