#include "tests/unit/consumer/store/server/deaf_relay.hpp"

#include <array>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::store {
namespace {

constexpr int look_for_stop = 50;  // milliseconds

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

bool is_readable(int socket) {
    pollfd look{.fd = socket, .events = POLLIN, .revents = 0};
    return ::poll(&look, 1, look_for_stop) > 0;
}

int connect_to(std::uint16_t port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = loopback(port);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the sockets API
    (void)::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    return socket;
}

}  // namespace

DeafRelay::DeafRelay(std::uint16_t server_port)
    : server_port_{server_port}, listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    auto address = loopback(0);
    socklen_t size = sizeof address;
    // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): the sockets API
    (void)::bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
    (void)::listen(listener_, 8);
    (void)::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

DeafRelay::~DeafRelay() {
    thread_.request_stop();
    thread_.join();
    ::close(listener_);
}

void DeafRelay::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        if (!is_readable(listener_)) continue;
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        const int server = connect_to(server_port_);
        pass_on(stop, client, server);
        ::close(client);
        ::close(server);
    }
}

void DeafRelay::pass_on(const std::stop_token& stop, int client, int server) {
    std::array<char, 65536> bytes{};
    while (!stop.stop_requested()) {
        std::array<pollfd, 2> ends{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
        if (::poll(ends.data(), ends.size(), look_for_stop) <= 0) continue;
        const bool is_clients = ends[0].revents != 0;
        const auto size = ::recv(is_clients ? client : server, bytes.data(), bytes.size(), 0);
        if (size <= 0) return;
        const std::string_view text{bytes.data(), static_cast<std::size_t>(size)};
        if (is_clients && text.contains("KILL QUERY")) return kills_.release();
        if (::send(is_clients ? server : client, text.data(), text.size(), MSG_NOSIGNAL) != size) return;
    }
}

}  // namespace sluice::store
