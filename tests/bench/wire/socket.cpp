#include "tests/bench/wire/socket.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::bench {
namespace {

constexpr std::uint32_t first_of_many = 0x7f010000;  // 127.1.0.0

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void send_at_once(int socket) {
    const int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

Descriptor client_socket() {
    Descriptor made{socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    send_at_once(made.get());
    return made;
}

void begin_connecting(const Descriptor& client, std::uint16_t port) {
    const sockaddr_in address = loopback(port);
    if (connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
        errno != EINPROGRESS)
        fail("connect");
}

}  // namespace

void fail(std::string_view what) {
    throw std::system_error{errno, std::generic_category(), std::string{what}};
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        if (number_ >= 0) close(number_);
        number_ = other.release();
    }
    return *this;
}

Descriptor::~Descriptor() {
    if (number_ >= 0) close(number_);
}

int Descriptor::release() noexcept {
    return std::exchange(number_, -1);
}

Descriptor listen_on(std::uint16_t port) {
    Descriptor listener{socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    const int on = 1;
    setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const sockaddr_in address = loopback(port);
    if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind");
    if (listen(listener.get(), SOMAXCONN) != 0) fail("listen");
    return listener;
}

Descriptor connect_to(std::uint16_t port) {
    Descriptor made = client_socket();
    begin_connecting(made, port);
    return made;
}

Descriptor connect_from(std::uint32_t number, std::uint16_t port) {
    Descriptor made = client_socket();
    const int on = 1;
    setsockopt(made.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    sockaddr_in address = loopback(0);
    address.sin_addr.s_addr = htonl(first_of_many + number);
    if (bind(made.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind");
    begin_connecting(made, port);
    return made;
}

void abandon(Descriptor connection) {
    const linger at_once{1, 0};
    setsockopt(connection.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

Descriptor accept_from(const Descriptor& listener) {
    Descriptor peer{accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (peer.get() >= 0) send_at_once(peer.get());
    return peer;
}

bool send_some(int socket, std::string& bytes) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    bytes.erase(0, static_cast<std::size_t>(sent));
    return true;
}

Epoll::Epoll() : own_{epoll_create1(EPOLL_CLOEXEC)} {
    if (own_.get() < 0) fail("epoll_create1");
}

void Epoll::add(int descriptor, void* tag) const {
    epoll_event event{.events = EPOLLIN, .data = {.ptr = tag}};
    if (epoll_ctl(own_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0) fail("epoll_ctl");
}

void Epoll::want_write(int descriptor, void* tag, bool wanted) const {
    epoll_event event{.events = EPOLLIN | (wanted ? EPOLLOUT : 0U), .data = {.ptr = tag}};
    if (epoll_ctl(own_.get(), EPOLL_CTL_MOD, descriptor, &event) != 0) fail("epoll_ctl");
}

}  // namespace sluice::bench
