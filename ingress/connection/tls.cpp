#include "ingress/connection/tls.hpp"

#include <new>

#include <openssl/err.h>

namespace sluice::connection {

Tls::Tls(SSL_CTX& context, int socket) : ssl_{SSL_new(&context)} {
    if (!ssl_ || SSL_set_fd(ssl_.get(), socket) != 1) throw std::bad_alloc{};
    SSL_set_accept_state(ssl_.get());
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
