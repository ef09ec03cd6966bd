#pragma once

#include <optional>
#include <string>

#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "ingress/dedup/redis_handle.hpp"

namespace sluice::dedup {

/// The client's side of TLS to Redis, with verification of the server. One thread's.
class RedisTls {
public:
    /// Throws config::Refused that names the file which cannot be used. Both outlive the object.
    RedisTls(const config::RedisSettings& settings, Log& log);

    /// For the next connection: files that have changed are read again, and those of before stay in use while
    /// the new ones cannot be, which is logged once. Null when out of memory.
    [[nodiscard]] Ssl session(const std::string& host);

private:
    void renew();

    const config::RedisSettings& settings_;
    Log& log_;
    std::string tried_;  // fingerprint of what was read last, good or bad: taken before it was read
    SslContext context_;
};

}  // namespace sluice::dedup
