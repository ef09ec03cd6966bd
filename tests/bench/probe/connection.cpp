#include "tests/bench/probe/connection.hpp"

#include <array>
#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <sys/socket.h>

namespace sluice::bench {
namespace {

constexpr timeval silence{.tv_sec = 20, .tv_usec = 0};
constexpr std::size_t status_at = 9;  // behind "HTTP/1.1 "

std::size_t body_length(std::string_view head) {
    std::size_t length = 0;
    for (const std::string_view name : {"Content-Length: ", "content-length: "}) {
        const std::size_t at = head.find(name);
        if (at != std::string_view::npos)
            std::from_chars(head.data() + at + name.size(), head.data() + head.size(), length);
    }
    return length;
}

void make_blocking(int socket) {
    fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK);
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence);
}

}  // namespace

ProbeConnection::ProbeConnection(std::uint16_t port, ProbeTally& tally) : port_{port}, tally_{tally} {
    connect();
}

void ProbeConnection::connect() {
    socket_ = connect_to(port_);
    make_blocking(socket_.get());
    in_.clear();
    ends_ = false;
    ++tally_.connects;
}

void ProbeConnection::send(std::string_view bytes, std::size_t piece) {
    while (!bytes.empty()) {
        const std::size_t size = piece == 0 ? bytes.size() : std::min(piece, bytes.size());
        const ssize_t sent = ::send(socket_.get(), bytes.data(), size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) fail("the server takes nothing");
        if (sent < 0) return;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void ProbeConnection::read(std::size_t answers) {
    for (std::size_t i = 0; i < answers && !ends_; ++i) {
        while (!ends_ && !take_answer()) ends_ = !receive();
    }
    if (ends_ || answers == 0) connect();
}

/// False: there is nothing more to come.
bool ProbeConnection::receive() {
    std::array<char, 16384> room;
    const ssize_t count = recv(socket_.get(), room.data(), room.size(), 0);
    if (count < 0 && errno == EAGAIN) fail("the server is silent");
    if (count <= 0) return false;
    in_.append(room.data(), static_cast<std::size_t>(count));
    return true;
}

bool ProbeConnection::take_answer() {
    const std::size_t end = in_.find("\r\n\r\n");
    if (end == std::string::npos) return false;
    const std::string_view head = std::string_view{in_}.substr(0, end);
    const std::size_t size = end + 4 + body_length(head);
    if (in_.size() < size) return false;
    int status = 0;
    std::from_chars(head.data() + status_at, head.data() + head.size(), status);
    ++tally_.answers[status];
    ends_ = head.find("Connection: close") != std::string_view::npos;
    in_.erase(0, size);
    return true;
}

}  // namespace sluice::bench
