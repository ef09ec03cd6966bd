#include "ingress/connection/stream.hpp"

#include <sys/socket.h>

#include <boost/asio/deferred.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

namespace sluice::connection {

namespace asio = boost::asio;
using ingress::Task;
using ingress::Tcp;
using ingress::use_task;
using Error = boost::system::error_code;

namespace {

constexpr int most_reads_without_wait = 16;
constexpr auto closed = asio::error::bad_descriptor;

}  // namespace

Stream::Stream(ingress::Socket socket, asio::ssl::context* tls) : socket_{std::move(socket)} {
    if (tls == nullptr) return;
    Error ignored;
    socket_.native_non_blocking(true, ignored);
    tls_.emplace(*tls->native_handle(), socket_.native_handle());
}

Task<Stream::Done> Stream::handshake() {
    while (tls_ && socket_.is_open()) {
        const Tls::Step step = tls_->shake_hands();
        if (step.is_done) co_return Done{};
        const auto [error] = co_await wait_for(step.wants);
        if (error) co_return error;
    }
    co_return tls_ ? closed : Error{};
}

Task<Stream::Transfer> Stream::read_some(asio::mutable_buffer into) {
    if (tls_) return read_tls(into);
    return read_plain(into);
}

Task<Stream::Transfer> Stream::read_plain(asio::mutable_buffer into) {
    co_return co_await socket_.async_read_some(into, use_task);
}

Task<Stream::Transfer> Stream::read_tls(asio::mutable_buffer into) {
    // A client that always has more to read must not keep the thread from everybody else.
    if (++reads_without_wait_ == most_reads_without_wait) {
        reads_without_wait_ = 0;
        co_await asio::post(socket_.get_executor(), asio::deferred);
    }
    while (socket_.is_open()) {
        const Tls::Step step = tls_->read({static_cast<char*>(into.data()), into.size()});
        if (step.is_done) co_return Transfer{Error{}, step.count};
        const auto [error] = co_await wait_for(step.wants);
        if (error) co_return Transfer{error, 0};
    }
    co_return Transfer{closed, 0};
}

Task<Stream::Transfer> Stream::write(std::string_view bytes) {
    if (tls_) return write_tls(bytes);
    return write_plain(bytes);
}

Task<Stream::Transfer> Stream::write_plain(std::string_view bytes) {
    co_return co_await asio::async_write(socket_, asio::buffer(bytes), use_task);
}

Task<Stream::Transfer> Stream::write_tls(std::string_view bytes) {
    while (socket_.is_open()) {
        const Tls::Step step = tls_->write(bytes);
        if (step.is_done) co_return Transfer{Error{}, step.count};
        const auto [error] = co_await wait_for(step.wants);
        if (error) co_return Transfer{error, 0};
    }
    co_return Transfer{closed, 0};
}

Task<Stream::Done> Stream::wait_for(Tls::Wants wants) {
    if (wants == Tls::Wants::nothing) co_return Error{asio::error::eof};
    reads_without_wait_ = 0;
    const auto event = wants == Tls::Wants::to_read ? Tcp::socket::wait_read : Tcp::socket::wait_write;
    co_return co_await socket_.async_wait(event, use_task);
}

std::size_t Stream::write_now(std::string_view bytes) noexcept {
    if (!socket_.is_open()) return 0;
    if (tls_) return tls_->write(bytes).count;
    const auto written =
        ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return written > 0 ? static_cast<std::size_t>(written) : 0;
}

Task<Stream::Done> Stream::readable() {
    co_return co_await socket_.async_wait(ingress::Tcp::socket::wait_read, use_task);
}

bool Stream::has_bytes() const noexcept {
    if (holds_bytes()) return true;  // a part of a record, as a rule
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
    if (!tls_ || SSL_get_verify_result(&tls_->session()) != X509_V_OK) return std::nullopt;
    X509* const certificate = SSL_get0_peer_certificate(&tls_->session());
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

}  // namespace sluice::connection
