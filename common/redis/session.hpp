#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hiredis/hiredis.h>
#include <hiredis/hiredis_ssl.h>

#include "common/config/settings/connections.hpp"

namespace sluice::redis {

/// Owns hiredis' objects; the freeing calls appear nowhere else.
struct Free {
    void operator()(redisContext* context) const noexcept { redisFree(context); }
    void operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }
    void operator()(redisSSLContext* context) const noexcept { redisFreeSSLContext(context); }
};

using Context = std::unique_ptr<redisContext, Free>;
using Reply = std::unique_ptr<redisReply, Free>;
using SslContext = std::unique_ptr<redisSSLContext, Free>;

/// One blocking connection to one Redis, logged in and in its database. One thread's.
class Session {
public:
    /// The error is a clause for people; it never holds the password.
    [[nodiscard]] static std::expected<Session, std::string> open(const config::RedisSettings& settings,
                                                                  const config::RedisServer& server,
                                                                  std::chrono::milliseconds patience);

    /// A reply that is an error, or none at all, is the error.
    [[nodiscard]] std::expected<Reply, std::string> ask(std::span<const std::string> words);

private:
    SslContext tls_;  // outlives the connection
    Context context_;
};

/// "redis://host:6379/0"
[[nodiscard]] std::string address_of(const config::RedisServer& server);

}  // namespace sluice::redis
