#include "tests/bench/floor/server.hpp"

#include <cerrno>
#include <cstring>

#include <sys/epoll.h>
#include <sys/socket.h>

namespace sluice::bench {
namespace {

constexpr std::string_view ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view refused = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
constexpr std::string_view unavailable = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

}  // namespace

Server::Server(const ServerSettings& settings)
    : listener_{listen_on(settings.port)},
      reader_{settings.secret},
      redis_{settings.redis, [this](std::uint64_t ticket, bool is_new) { claimed(ticket, is_new); }},
      producer_{settings.brokers, settings.topic, settings.form,
                [this](std::uint64_t ticket, bool is_stored) { stored(ticket, is_stored); }} {
    epoll_.add(listener_.get(), &listener_);
    epoll_.add(redis_.descriptor(), &redis_);
    epoll_.add(producer_.descriptor(), &producer_);
}

void Server::run(const volatile bool& stop) {
    std::array<epoll_event, 256> events;
    while (!stop) {
        const int count = epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < count; ++i) {
            void* tag = events[static_cast<std::size_t>(i)].data.ptr;
            if (tag == &listener_)
                accept_all();
            else if (tag == &redis_)
                redis_.readable();
            else if (tag == &producer_)
                producer_.serve();
            else
                readable(*static_cast<Connection*>(tag));
        }
        redis_.flush();
    }
}

void Server::accept_all() {
    for (Descriptor peer = accept_from(listener_); peer.get() >= 0; peer = accept_from(listener_)) {
        auto connection = std::make_unique<Connection>();
        connection->ticket = next_ticket_++;
        connection->socket = std::move(peer);
        epoll_.add(connection->socket.get(), connection.get());
        connections_.emplace(connection->ticket, std::move(connection));
    }
}

void Server::readable(Connection& connection) {
    const ssize_t count = recv(connection.socket.get(), connection.bytes.data() + connection.filled,
                               room - connection.filled, 0);
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return drop(connection);
    connection.filled += static_cast<std::size_t>(count);
    look(connection);
}

void Server::look(Connection& connection) {
    const auto request = read_request({connection.bytes.data(), connection.filled});
    if (!request) return;
    connection.request = *request;
    if (!reader_.is_authentic(*request)) return answer(connection, refused);
    auto webhook = reader_.read(*request);
    if (!webhook) return answer(connection, refused);
    connection.webhook = std::move(*webhook);
    redis_.claim(connection.webhook.id, connection.ticket);
}

void Server::claimed(std::uint64_t ticket, bool is_new) {
    const auto found = connections_.find(ticket);
    if (found == connections_.end()) return;
    Connection& connection = *found->second;
    if (!is_new) return answer(connection, ok);
    producer_.produce(connection.webhook.object, connection.request.body, ticket);
}

void Server::stored(std::uint64_t ticket, bool is_stored) {
    const auto found = connections_.find(ticket);
    if (found != connections_.end()) answer(*found->second, is_stored ? ok : unavailable);
}

/// The socket's buffer is always large enough for the only answer of a connection that waits for it. A peer
/// that is gone shows at its next read: events of this turn may still point to the connection.
void Server::answer(Connection& connection, std::string_view response) {
    static_cast<void>(send(connection.socket.get(), response.data(), response.size(), MSG_NOSIGNAL));
    const std::size_t used = connection.request.size;
    connection.filled -= used;
    if (connection.filled > 0)
        std::memmove(connection.bytes.data(), connection.bytes.data() + used, connection.filled);
}

void Server::drop(Connection& connection) {
    connections_.erase(connection.ticket);
}

}  // namespace sluice::bench
