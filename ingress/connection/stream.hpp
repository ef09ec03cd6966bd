#pragma once

#include <optional>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>

#include "common/network/address.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/connection/peer_certificate.hpp"
#include "ingress/connection/tls.hpp"

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
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    [[nodiscard]] ingress::Task<Done> handshake();  ///< nothing to do for a plain one
    [[nodiscard]] ingress::Task<Transfer> read_some(boost::asio::mutable_buffer into);
    /// Past TLS: the proxy's header comes before it.
    [[nodiscard]] ingress::Task<Transfer> read_plain(boost::asio::mutable_buffer into);
    [[nodiscard]] ingress::Task<Transfer> write(std::string_view bytes);  ///< all of it
    /// Writes what it can without waiting, and says how many bytes that was. Give the rest to `write`, which
    /// also tells of an error. TLS writes all or nothing.
    [[nodiscard]] std::size_t write_now(std::string_view bytes) noexcept;
    /// Until there may be something to read; needs no buffer.
    [[nodiscard]] ingress::Task<Done> readable();

    [[nodiscard]] bool has_bytes() const noexcept;  ///< not read yet
    /// Whether TLS holds bytes that no event of the socket tells of.
    [[nodiscard]] bool holds_bytes() const noexcept { return tls_ && tls_->holds_bytes(); }
    [[nodiscard]] Address peer() const;
    /// After the handshake: the client's, which was verified; nullopt: it has none.
    [[nodiscard]] std::optional<PeerCertificate> peer_certificate() const;
    [[nodiscard]] bool is_tls() const noexcept { return tls_.has_value(); }
    void cancel() noexcept;
    void finish_sending() noexcept;
    void close() noexcept;

private:
    [[nodiscard]] ingress::Task<Transfer> write_plain(std::string_view bytes);
    [[nodiscard]] ingress::Task<Transfer> read_tls(boost::asio::mutable_buffer into);
    [[nodiscard]] ingress::Task<Transfer> write_tls(std::string_view bytes);
    [[nodiscard]] ingress::Task<Done> wait_for(Tls::Wants wants);

    ingress::Socket socket_;
    std::optional<Tls> tls_;
    int reads_without_wait_ = 0;  // of TLS, one after the other
};

}  // namespace sluice::connection
