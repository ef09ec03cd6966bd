#include "ingress/connection/stream.hpp"

#include <format>
#include <stdexcept>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/write.hpp>

namespace sluice::connection {

namespace asio = boost::asio;
using ingress::Task;
using ingress::use_task;

Stream::Stream(ingress::Socket socket, asio::ssl::context* tls) : socket_{std::move(socket)} {
    if (tls != nullptr) tls_ = std::make_unique<Tls>(socket_, *tls);
}

Task<Stream::Done> Stream::handshake() {
    if (!tls_) co_return Done{};
    co_return co_await tls_->async_handshake(asio::ssl::stream_base::server, use_task);
}

Task<Stream::Transfer> Stream::read_some(asio::mutable_buffer into) {
    if (tls_) return tls_->async_read_some(into, use_task);
    return socket_.async_read_some(into, use_task);
}

Task<Stream::Transfer> Stream::read_plain(asio::mutable_buffer into) {
    return socket_.async_read_some(into, use_task);
}

Task<Stream::Transfer> Stream::write(std::string_view bytes) {
    const auto buffer = asio::buffer(bytes);
    if (tls_) return asio::async_write(*tls_, buffer, use_task);
    return asio::async_write(socket_, buffer, use_task);
}

Task<Stream::Done> Stream::readable() {
    return socket_.async_wait(ingress::Tcp::socket::wait_read, use_task);
}

bool Stream::has_bytes() const noexcept {
    if (tls_ && SSL_has_pending(tls_->native_handle()) == 1) return true;  // a part of a record, as a rule
    boost::system::error_code ignored;
    return socket_.available(ignored) > 0;
}

Address Stream::peer() const {
    boost::system::error_code error;
    const auto endpoint = socket_.remote_endpoint(error);
    if (error) return {};
    const auto address = endpoint.address();
    return address.is_v4() ? Address::from_v4(address.to_v4().to_bytes())
                           : Address::from_v6(address.to_v6().to_bytes());
}

std::optional<PeerCertificate> Stream::peer_certificate() const {
    if (!tls_ || SSL_get_verify_result(tls_->native_handle()) != X509_V_OK) return std::nullopt;
    X509* const certificate = SSL_get0_peer_certificate(tls_->native_handle());
    return certificate == nullptr ? std::nullopt : read_peer(*certificate);
}

void Stream::cancel() noexcept {
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

void Stream::finish_sending() noexcept {
    boost::system::error_code ignored;
    socket_.shutdown(ingress::Tcp::socket::shutdown_send, ignored);
}

void Stream::close() noexcept {
    boost::system::error_code ignored;
    socket_.close(ignored);
}

namespace {

constexpr unsigned char http_1_1[] = "\x08http/1.1";

int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void*) {
    unsigned char* match = nullptr;
    const int found =
        SSL_select_next_proto(&match, length, http_1_1, sizeof http_1_1 - 1, offered, offered_length);
    if (found != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = match;
    return SSL_TLSEXT_ERR_OK;
}

void ask_for_clients(SSL_CTX* tls, const ClientTrust& clients) {
    const char* const file = clients.ca_file.c_str();
    STACK_OF(X509_NAME)* const names = SSL_load_client_CA_file(file);
    if (names == nullptr || SSL_CTX_load_verify_file(tls, file) != 1)
        throw std::runtime_error{std::format("TLS client_ca {}: no certificates can be read", file)};
    SSL_CTX_set_client_CA_list(tls, names);
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER | (clients.is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0),
                       nullptr);
    SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(tls, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(tls, 0);
}

}  // namespace

std::unique_ptr<asio::ssl::context> server_tls(const std::string& cert_file, const std::string& key_file,
                                               const ClientTrust& clients) {
    auto tls = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
    boost::system::error_code error;
    tls->use_certificate_chain_file(cert_file, error);
    if (error) throw std::runtime_error{std::format("TLS certificate {}: {}", cert_file, error.message())};
    tls->use_private_key_file(key_file, asio::ssl::context::pem, error);
    if (error) throw std::runtime_error{std::format("TLS key {}: {}", key_file, error.message())};
    SSL_CTX* native = tls->native_handle();
    if (SSL_CTX_check_private_key(native) != 1)
        throw std::runtime_error{
            std::format("TLS key {} does not belong to the certificate {}", key_file, cert_file)};
    SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
    SSL_CTX_set_options(native,
                        SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    SSL_CTX_set_max_early_data(native, 0);
    SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(native, choose_protocol, nullptr);
    if (!clients.ca_file.empty()) ask_for_clients(native, clients);
    return tls;
}

}  // namespace sluice::connection
