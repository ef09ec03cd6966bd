#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hiredis/hiredis.h>
#include <hiredis/hiredis_ssl.h>

#include "common/config/settings/connections.hpp"

namespace sluice::ctl {

/// Owns hiredis' objects; the freeing calls appear nowhere else.
struct FreeRedis {
    void operator()(redisContext* context) const noexcept { redisFree(context); }
    void operator()(redisReply* reply) const noexcept { freeReplyObject(reply); }
    void operator()(redisSSLContext* context) const noexcept { redisFreeSSLContext(context); }
};

using RedisContext = std::unique_ptr<redisContext, FreeRedis>;
using RedisReply = std::unique_ptr<redisReply, FreeRedis>;
using RedisSslContext = std::unique_ptr<redisSSLContext, FreeRedis>;

/// One blocking connection to one Redis, logged in and in its database. For `doctor` only.
class RedisSession {
public:
    /// The error is a clause for people; it never holds the password.
    [[nodiscard]] static std::expected<RedisSession, std::string> open(const config::RedisSettings& settings,
                                                                       const config::RedisServer& server,
                                                                       std::chrono::milliseconds patience);

    /// A reply that is an error, or none at all, is the error.
    [[nodiscard]] std::expected<RedisReply, std::string> ask(std::span<const std::string> words);

private:
    RedisSslContext tls_;  // outlives the connection
    RedisContext context_;
};

/// "redis://host:6379/0"
[[nodiscard]] std::string address_of(const config::RedisServer& server);

}  // namespace sluice::ctl
