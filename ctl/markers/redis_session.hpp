#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "common/config/settings/connections.hpp"
#include "ctl/markers/redis_handle.hpp"

namespace sluice::ctl {

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
