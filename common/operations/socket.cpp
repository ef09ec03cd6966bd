#include "common/operations/socket.hpp"

#include <format>
#include <memory>
#include <stdexcept>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::operations {
namespace {

constexpr int backlog = 1024;

Socket bound_to(const addrinfo& address) {
    Socket socket{
        ::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, address.ai_protocol)};
    // Not SO_REUSEPORT, under which a second process takes the port without a word.
    const int on = 1;
    (void)::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const int off = 0;
    if (address.ai_family == AF_INET6)
        (void)::setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    const bool is_ours = ::bind(socket.get(), address.ai_addr, address.ai_addrlen) == 0 &&
                         ::listen(socket.get(), backlog) == 0;
    return is_ours ? std::move(socket) : Socket{};
}

}  // namespace

Socket::~Socket() {
    if (is_open()) ::close(descriptor_);
}

Socket listen_on(const std::string& host, std::uint16_t port, std::string_view key) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    wanted.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    (void)::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all{found, [](addrinfo* list) {
                                                                 if (list != nullptr) ::freeaddrinfo(list);
                                                             }};
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next)
        if (Socket socket = bound_to(*each); socket.is_open()) return socket;
    throw std::runtime_error{std::format(
        "operations: cannot listen on {}:{}: this host does not have the address, or the port is in use; "
        "write one for this program as {}",
        host, port, key)};
}

std::uint16_t port_of(const Socket& listening) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    (void)::getsockname(listening.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                               : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace sluice::operations
