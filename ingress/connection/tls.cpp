#include "ingress/connection/tls.hpp"

#include <new>

#include <openssl/err.h>

namespace sluice::connection {

namespace {

// Of a connection's whole life. A handshake takes five of the client's, and new keys are due after 2^24
// records (RFC 8446 section 5.5).
constexpr int most_messages = 32;

}  // namespace

Tls::Tls(SSL_CTX& context, int socket) : ssl_{SSL_new(&context)} {
    if (!ssl_ || SSL_set_fd(ssl_.get(), socket) != 1) throw std::bad_alloc{};
    SSL_set_accept_state(ssl_.get());
    SSL_set_msg_callback(ssl_.get(), note_message);
    SSL_set_msg_callback_arg(ssl_.get(), this);
}

/// OpenSSL reads on within one call while only messages of its own come (KeyUpdate; under TLS 1.2 a
/// ClientHello, which it answers with an alert), so a client that sends nothing else would keep the thread.
/// It ends the call, and the connection with it, where the peer has said that it is done: so we say it for
/// the peer.
void Tls::note_message(int sent, int, int type, const void*, std::size_t, SSL* ssl, void* self) {
    const bool counts = type == SSL3_RT_HANDSHAKE ? sent == 0 : type == SSL3_RT_ALERT && sent == 1;
    if (counts && ++static_cast<Tls*>(self)->messages_ > most_messages)
        SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN);
}

// What another connection of this thread left in OpenSSL's queue of errors would count as ours.
Tls::Step Tls::shake_hands() {
    ERR_clear_error();
    return step(SSL_do_handshake(ssl_.get()), 0);
}

Tls::Step Tls::read(std::span<char> into) {
    ERR_clear_error();
    std::size_t count = 0;
    const int done = SSL_read_ex(ssl_.get(), into.data(), into.size(), &count);
    return step(done, count);
}

Tls::Step Tls::write(std::string_view bytes) {
    ERR_clear_error();
    std::size_t count = 0;
    const int done = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &count);
    return step(done, count);
}

Tls::Step Tls::step(int done, std::size_t count) const {
    if (done == 1) return {.count = count, .is_done = true};
    switch (SSL_get_error(ssl_.get(), done)) {
        case SSL_ERROR_WANT_READ:
            return {.wants = Wants::to_read};
        case SSL_ERROR_WANT_WRITE:
            return {.wants = Wants::to_write};
        default:
            return {};
    }
}

}  // namespace sluice::connection
