#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include <openssl/ssl.h>

namespace sluice::connection {

/// The server's side of TLS over a socket that does not block. OpenSSL reads and writes the socket itself, so
/// an idle connection has no buffers (SSL_MODE_RELEASE_BUFFERS); the process ignores SIGPIPE (StopSignal).
/// Each call does what can be done now and says what it waits for. The socket outlives it; after it is closed
/// nothing may be called: its number may be another connection's.
class Tls {
public:
    enum class Wants { nothing, to_read, to_write };
    struct Step {
        std::size_t count = 0;         ///< of bytes; 0 and Wants::nothing: the peer has ended, or it failed
        Wants wants = Wants::nothing;  ///< before the same call is made again
        bool is_done = false;
    };

    /// Throws std::bad_alloc.
    Tls(SSL_CTX& context, int socket);
    Tls(const Tls&) = delete;
    Tls& operator=(const Tls&) = delete;

    [[nodiscard]] Step shake_hands();
    [[nodiscard]] Step read(std::span<char> into);
    /// All or nothing: the same bytes again until it is done.
    [[nodiscard]] Step write(std::string_view bytes);
    /// Whether bytes have come that `read` has not given yet: then the socket need not tell of any. Not told
    /// for exactly the five bytes that a record begins with; the rest of it is still to come then.
    [[nodiscard]] bool holds_bytes() const noexcept { return SSL_has_pending(ssl_.get()) == 1; }
    [[nodiscard]] const SSL& session() const noexcept { return *ssl_; }

private:
    struct Free {
        void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
    };
    [[nodiscard]] Step step(int done, std::size_t count) const;
    static void note_message(int sent, int version, int type, const void* bytes, std::size_t size, SSL* ssl,
                             void* self);

    std::unique_ptr<SSL, Free> ssl_;
    int messages_ = 0;  // of the handshake, and of what may follow it
};

}  // namespace sluice::connection
