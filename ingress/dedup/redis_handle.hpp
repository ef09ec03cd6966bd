#pragma once

#include <memory>

#include <openssl/ssl.h>

/// One owner per C type of TLS to Redis; the freeing calls appear nowhere else.
namespace sluice::dedup {

struct FreeSslContext {
    void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using SslContext = std::unique_ptr<SSL_CTX, FreeSslContext>;

struct FreeSsl {
    void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
};
using Ssl = std::unique_ptr<SSL, FreeSsl>;

}  // namespace sluice::dedup
