#include "ingress/dedup/redis_link.hpp"

#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

namespace sluice::dedup {

namespace asio = ingress::asio;
using ingress::Task;
using ingress::use_task;

RedisLink::RedisLink(asio::io_context& io, Ssl tls) : socket_{io} {
    if (tls) tls_ = std::make_unique<Tls>(socket_, tls.release());
}

Task<RedisLink::Error> RedisLink::connect(Endpoint server) {
    const auto [refused] = co_await socket_.async_connect(server, use_task);
    if (refused) co_return refused;
    Error ignored;
    socket_.set_option(ingress::Tcp::no_delay{true}, ignored);
    if (!tls_) co_return Error{};
    const auto [distrusted] = co_await tls_->async_handshake(asio::ssl::stream_base::client, use_task);
    co_return distrusted;
}

Task<std::tuple<RedisLink::Error, std::string_view>> RedisLink::read() {
    const auto room = asio::buffer(came_);
    if (tls_) {
        const auto [error, count] = co_await tls_->async_read_some(room, use_task);
        co_return std::tuple{error, std::string_view{came_.data(), count}};
    }
    const auto [error, count] = co_await socket_.async_read_some(room, use_task);
    co_return std::tuple{error, std::string_view{came_.data(), count}};
}

void RedisLink::flush_soon() {
    if (flush_is_posted_ || writing_) return;
    flush_is_posted_ = true;
    asio::post(socket_.get_executor(), [self = shared_from_this()] {
        self->flush_is_posted_ = false;
        self->flush();
    });
}

void RedisLink::flush() {
    if (writing_ || queued_.empty() || !socket_.is_open()) return;
    if (!leaves_at_once()) write();
}

/// As a rule: then no operation has to be begun. An error is what the read will end with.
bool RedisLink::leaves_at_once() {
    if (tls_) return false;
    const auto sent =
        ::send(socket_.native_handle(), queued_.data(), queued_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) queued_.erase(0, static_cast<std::size_t>(sent));
    return queued_.empty();
}

void RedisLink::write() {
    writing_ = true;
    leaving_.swap(queued_);
    auto written = [self = shared_from_this()](Error error, std::size_t) {
        self->writing_ = false;
        self->leaving_.clear();
        if (!error) self->flush();
    };
    if (tls_)
        asio::async_write(*tls_, asio::buffer(leaving_), std::move(written));
    else
        asio::async_write(socket_, asio::buffer(leaving_), std::move(written));
}

void RedisLink::close() noexcept {
    Error ignored;
    socket_.close(ignored);
}

}  // namespace sluice::dedup
