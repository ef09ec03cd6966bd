#pragma once

#include <memory>

#include <hiredis/async.h>
#include <openssl/ssl.h>

/// One owner per C type of the Redis connection; the freeing calls appear nowhere else. A
/// redisAsyncContext has none: hiredis frees it itself when the connection ends, and notifies us through
/// its dataCleanup (ingress/dedup/redis_connection.cpp).
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
