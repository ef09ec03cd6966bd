#pragma once

#include <expected>
#include <optional>
#include <string>

#include "common/config/settings/connections.hpp"
#include "ctl/doctor/finding.hpp"

namespace sluice::ctl {

/// What one Redis says of itself.
struct RedisFacts {
    using Info =
        std::expected<std::string, std::string>;  ///< or why it does not say: the account may not ask
    Info version;                                 ///< "8.0.2"
    Info eviction_policy;                         ///< maxmemory_policy
    std::string claim_refusal;  ///< why SET NX GET PX did not work as a claim needs it; empty: it did
    std::optional<WallTime> time;
};

/// Value of `name:value` in an INFO reply.
[[nodiscard]] std::optional<std::string> info_field(const std::string& info, const std::string& name);

/// Pure.
[[nodiscard]] Findings judge_redis(const std::string& address, const RedisFacts& facts, WallTime now);

/// Every configured Redis. Writes one key under the `wh:` prefix that lives for a second.
[[nodiscard]] Findings check_redis(const config::RedisSettings& settings, const Clock& clock);

}  // namespace sluice::ctl
