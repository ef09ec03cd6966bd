#include "tests/unit/ingress/support/client.hpp"

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <utility>

namespace sluice::ingress {
namespace {

constexpr std::chrono::seconds patience{20};

sockaddr_in loopback(const std::string& address, std::uint16_t port) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    ::inet_pton(AF_INET, address.c_str(), &place.sin_addr);
    return place;
}

const sockaddr* as_address(const sockaddr_in& place) {
    return reinterpret_cast<const sockaddr*>(&place);
}

}  // namespace

std::string take_date(std::string& answer) {
    const std::string name = "Date: ";
    const std::size_t at = answer.find("\r\n" + name);
    if (at == std::string::npos || at > answer.find("\r\n\r\n")) return {};
    const std::size_t end = answer.find("\r\n", at + 2);
    std::string date = answer.substr(at + 2 + name.size(), end - at - 2 - name.size());
    answer.erase(at, end - at);
    return date;
}

std::optional<std::size_t> unread_from(std::uint16_t port) {
    constexpr int most_descriptors = 1024;
    for (int other = 0; other < most_descriptors; ++other) {
        sockaddr_in its_peer{};
        socklen_t size = sizeof its_peer;
        if (::getpeername(other, reinterpret_cast<sockaddr*>(&its_peer), &size) != 0) continue;
        int waiting = 0;
        if (ntohs(its_peer.sin_port) == port && ::ioctl(other, FIONREAD, &waiting) == 0)
            return static_cast<std::size_t>(waiting);
    }
    return std::nullopt;
}

Client::Client(std::uint16_t port, const std::string& source)
    : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const sockaddr_in from = loopback(source, 0);
    const sockaddr_in to = loopback("127.0.0.1", port);
    if (::bind(socket_, as_address(from), sizeof from) != 0 ||
        ::connect(socket_, as_address(to), sizeof to) != 0) {
        ::close(socket_);
        throw std::runtime_error{"nobody listens"};
    }
}

Client::Client(Client&& other) noexcept
    : socket_{std::exchange(other.socket_, -1)},
      received_{std::move(other.received_)},
      date_{std::move(other.date_)} {}

Client::~Client() {
    if (socket_ >= 0) ::close(socket_);
}

void Client::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return;  // the server has closed: what it said is still to be read
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void Client::wait_for_receipt() const {
    int unacknowledged = 1;
    while (::ioctl(socket_, SIOCOUTQ, &unacknowledged) == 0 && unacknowledged > 0) std::this_thread::yield();
}

std::optional<std::size_t> Client::unread() const {
    sockaddr_in us{};
    socklen_t size = sizeof us;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&us), &size);
    return unread_from(ntohs(us.sin_port));
}

void Client::finish_sending() const {
    ::shutdown(socket_, SHUT_WR);
}

bool Client::has_news(std::chrono::milliseconds within) const {
    pollfd wanted{socket_, POLLIN, 0};
    return ::poll(&wanted, 1, static_cast<int>(within.count())) > 0;
}

bool Client::receive() {
    char buffer[4096];
    if (!has_news(patience)) return false;
    const auto got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got <= 0) return false;
    received_.append(buffer, static_cast<std::size_t>(got));
    return true;
}

std::string Client::answer() {
    std::size_t end = 0;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos)
        if (!receive()) return std::exchange(received_, {});
    end += 4;
    const std::size_t length = received_.find("Content-Length: ");
    if (length < end) end += std::strtoul(received_.c_str() + length + 16, nullptr, 10);
    while (received_.size() < end)
        if (!receive()) break;
    std::string whole = received_.substr(0, end);
    received_.erase(0, end);
    date_ = take_date(whole);
    return whole;
}

std::optional<std::string> Client::rest() {
    while (true) {
        char buffer[4096];
        if (!has_news(patience)) return std::nullopt;
        const auto got = ::recv(socket_, buffer, sizeof buffer, 0);
        if (got <= 0) return std::exchange(received_, {});
        received_.append(buffer, static_cast<std::size_t>(got));
    }
}

}  // namespace sluice::ingress
