#pragma once

#include <memory>
#include <string_view>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>

#include "common/network/address.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/connection/peer_certificate.hpp"

namespace sluice::connection {

using network::Address;

/// One client's bytes, with or without TLS. Operations end with operation_aborted after `cancel`.
/// One thread.
class Stream {
public:
    using Transfer = std::tuple<boost::system::error_code, std::size_t>;
    using Done = std::tuple<boost::system::error_code>;

    /// `tls` null: plain. What it holds is kept by the stream for as long as it lives.
    Stream(ingress::Socket socket, boost::asio::ssl::context* tls);
    Stream(const Stream&) = delete;  // TLS refers to the socket, which therefore stays where it is
    Stream& operator=(const Stream&) = delete;

    [[nodiscard]] ingress::Task<Done> handshake();  ///< nothing to do for a plain one
    [[nodiscard]] ingress::Task<Transfer> read_some(boost::asio::mutable_buffer into);
    /// Past TLS: the proxy's header comes before it.
    [[nodiscard]] ingress::Task<Transfer> read_plain(boost::asio::mutable_buffer into);
    [[nodiscard]] ingress::Task<Transfer> write(std::string_view bytes);  ///< all of it
    /// Until there may be something to read; needs no buffer.
    [[nodiscard]] ingress::Task<Done> readable();

    [[nodiscard]] bool has_bytes() const noexcept;  ///< not read yet
    [[nodiscard]] Address peer() const;
    /// After the handshake: the client's, which was verified; nullopt: it has none.
    [[nodiscard]] std::optional<PeerCertificate> peer_certificate() const;
    [[nodiscard]] bool is_tls() const noexcept { return tls_ != nullptr; }
    void cancel() noexcept;
    void finish_sending() noexcept;
    void close() noexcept;

private:
    using Tls = boost::asio::ssl::stream<ingress::Socket&>;
    ingress::Socket socket_;
    std::unique_ptr<Tls> tls_;
};

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
