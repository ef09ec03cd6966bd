#include "tests/unit/ingress/support/resp_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <format>

namespace sluice::dedup {
namespace {

/// Takes one whole command (an array of bulk strings) off `bytes`.
std::optional<RespServer::Command> take_command(std::string& bytes) {
    std::size_t at = 0;
    const auto number = [&](char mark) -> std::optional<std::size_t> {
        const std::size_t end = bytes.find("\r\n", at);
        if (end == std::string::npos || bytes[at] != mark) return std::nullopt;
        const std::size_t value = std::stoul(bytes.substr(at + 1, end - at - 1));
        at = end + 2;
        return value;
    };
    const auto count = number('*');
    if (!count) return std::nullopt;
    RespServer::Command command;
    for (std::size_t i = 0; i < *count; ++i) {
        const auto size = at < bytes.size() ? number('$') : std::nullopt;
        if (!size || bytes.size() < at + *size + 2) return std::nullopt;
        command.push_back(bytes.substr(at, *size));
        at += *size + 2;
    }
    bytes.erase(0, at);
    return command;
}

bool write_all(int peer, const std::string& bytes) {
    return ::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

}  // namespace

RespServer::RespServer(Handler handler)
    : handler_{std::move(handler)}, listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof place;
    ::bind(listener_, reinterpret_cast<sockaddr*>(&place), size);
    ::listen(listener_, 16);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&place), &size);
    port_ = ntohs(place.sin_port);
    if (::pipe(stop_) != 0) std::abort();
    thread_ = std::thread{[this] { serve(); }};
}

RespServer::~RespServer() {
    ::close(stop_[1]);
    thread_.join();
    ::close(stop_[0]);
    ::close(listener_);
}

std::vector<RespServer::Command> RespServer::commands() const {
    const std::scoped_lock lock{mutex_};
    return commands_;
}

void RespServer::serve() {
    while (true) {
        pollfd wanted[] = {{listener_, POLLIN, 0}, {stop_[0], POLLIN, 0}};
        ::poll(wanted, 2, -1);
        if (wanted[1].revents != 0) return;
        const int peer = ::accept(listener_, nullptr, nullptr);
        ++connections_;
        converse(peer);
        ::close(peer);
    }
}

void RespServer::converse(int peer) {
    std::string bytes;
    while (true) {
        pollfd wanted[] = {{peer, POLLIN, 0}, {stop_[0], POLLIN, 0}};
        ::poll(wanted, 2, -1);
        if (wanted[1].revents != 0) return;
        char buffer[4096];
        const auto got = ::recv(peer, buffer, sizeof buffer, 0);
        if (got <= 0) return;
        bytes.append(buffer, static_cast<std::size_t>(got));
        while (const auto command = take_command(bytes)) {
            const bool is_greeting = command->front() == "PING";
            if (!is_greeting) {
                const std::scoped_lock lock{mutex_};
                commands_.push_back(*command);
            }
            const auto answer = is_greeting ? std::optional<std::string>{"+PONG\r\n"} : handler_(*command);
            if (answer && !write_all(peer, *answer)) return;
        }
    }
}

std::string bulk(const std::string& text) {
    return std::format("${}\r\n{}\r\n", text.size(), text);
}

}  // namespace sluice::dedup
