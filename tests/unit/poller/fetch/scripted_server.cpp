#include "tests/unit/poller/fetch/scripted_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace sluice::poller {
namespace {

constexpr timeval look_every{0, 50'000};  // whether the server is over

void look_in_between(int socket) {
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &look_every, sizeof look_every);
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &look_every, sizeof look_every);
}

}  // namespace

/// A connection, plain or with TLS.
class ScriptedServer::Peer {
public:
    Peer(int socket, SSL_CTX* context, const std::atomic<bool>& is_over)
        : socket_{socket}, is_over_{is_over} {
        look_in_between(socket_);
        if (context == nullptr) return;
        tls_.reset(SSL_new(context));
        SSL_set_fd(tls_.get(), socket_);
        const int accepted = repeat([this] { return SSL_accept(tls_.get()); });
        is_there_ = accepted == 1;
    }
    ~Peer() { ::close(socket_); }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    [[nodiscard]] bool is_there() const { return is_there_; }

    /// The bytes up to the empty line; empty: the connection ended before.
    std::string head() {
        std::string text;
        while (!text.ends_with("\r\n\r\n")) {
            char byte = 0;
            const int got = repeat([&] {
                return tls_ ? SSL_read(tls_.get(), &byte, 1) : static_cast<int>(::recv(socket_, &byte, 1, 0));
            });
            if (got <= 0) return {};
            text += byte;
        }
        return text;
    }

    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const int sent = repeat([&] {
                const int size = static_cast<int>(bytes.size());
                return tls_ ? SSL_write(tls_.get(), bytes.data(), size)
                            : static_cast<int>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
            });
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }

    void wait() {
        char byte = 0;
        static_cast<void>(repeat([&] { return static_cast<int>(::recv(socket_, &byte, 1, 0)); }));
    }

private:
    struct ReleaseTls {
        void operator()(SSL* tls) const noexcept { SSL_free(tls); }
    };

    /// Until it did something, failed, or the server is over.
    template <class Step>
    int repeat(const Step& step) {
        while (!is_over_) {
            errno = 0;
            const int done = step();
            if (done > 0 || errno != EAGAIN) return done;
        }
        return -1;
    }

    int socket_;
    const std::atomic<bool>& is_over_;
    std::unique_ptr<SSL, ReleaseTls> tls_;
    bool is_there_ = true;
};

ScriptedServer::ScriptedServer(Script script, const std::string& certificate, const std::string& key)
    : script_{std::move(script)}, listener_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    std::signal(SIGPIPE, SIG_IGN);  // as StopSignal has it in programs: either end may hang up first
    if (!certificate.empty()) {
        tls_.reset(SSL_CTX_new(TLS_server_method()));
        SSL_CTX_use_certificate_file(tls_.get(), certificate.c_str(), SSL_FILETYPE_PEM);
        SSL_CTX_use_PrivateKey_file(tls_.get(), key.c_str(), SSL_FILETYPE_PEM);
    }
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const address = reinterpret_cast<sockaddr*>(&place);
    socklen_t size = sizeof place;
    const bool is_open = ::bind(listener_, address, size) == 0 && ::listen(listener_, 8) == 0 &&
                         ::getsockname(listener_, address, &size) == 0;
    if (!is_open) throw std::runtime_error{"no port"};
    port_ = ntohs(place.sin_port);
    look_in_between(listener_);
    thread_ = std::thread{[this] { serve(); }};
}

ScriptedServer::~ScriptedServer() {
    is_over_ = true;
    thread_.join();
    ::close(listener_);
}

std::string ScriptedServer::authority(const std::string& host) const {
    return host + ":" + std::to_string(port_);
}

std::vector<std::string> ScriptedServer::requests() const {
    const std::scoped_lock lock{mutex_};
    return requests_;
}

void ScriptedServer::serve() {
    while (!is_over_) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) continue;
        ++connections_;
        Peer peer{socket, tls_.get(), is_over_};
        if (peer.is_there()) converse(peer);
    }
}

void ScriptedServer::converse(Peer& peer) {
    using Then = Reply::Then;
    Then then = Then::keep;
    while (then == Then::keep) {
        const std::string head = peer.head();
        if (head.empty()) return;
        {
            const std::scoped_lock lock{mutex_};
            requests_.push_back(head);
        }
        const Reply reply = script_(head);
        if (!peer.send(reply.bytes)) return;
        then = reply.then;
        while (then == Then::go_on && peer.send(reply.more)) {
        }
    }
    if (then == Then::wait) peer.wait();
}

ScriptedServer::Reply success(const std::string& body, const std::string& more_fields) {
    return {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more_fields +
            "\r\n" + body};
}

}  // namespace sluice::poller
