#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/program.hpp"
#include "ingress/dedup/breaker.hpp"
#include "ingress/dedup/deduplicator.hpp"
#include "ingress/dedup/digest_command.hpp"
#include "ingress/dedup/redis_connection.hpp"

namespace sluice::dedup {

/// The claim protocol against one or several Redis servers, chosen by a hash of the key. One per
/// io_context, one thread.
class RedisDeduplicator final : public Deduplicator {
public:
    /// Throws config::Refused that names the file of redis.tls which cannot be used.
    RedisDeduplicator(ingress::asio::io_context& io, const config::RedisSettings& settings,
                      const Clock& clock, Log& log, Metrics& metrics,
                      const Program& program = ingress_program);

    void start();

    using Deduplicator::claim;
    [[nodiscard]] ingress::Task<Claim> claim(const Marker& marker, Counting* counting) override;
    void release(const Marker& marker) override;
    void take_back(const Counting& counting) override;
    void confirm(const Marker& marker) override;
    void use_epoch(const std::string& epoch) override;

private:
    struct Server {
        template <class... Arguments>
        explicit Server(Arguments&... arguments) : connection{arguments...} {}
        RedisConnection connection;
        Breaker breaker;
    };

    [[nodiscard]] Server& server_of(const crypto::Digest& digest);
    /// Until `step` needs no further look.
    [[nodiscard]] ingress::Task<Claim> look_again(Server& server, const Marker& marker,
                                                  ClaimProtocol protocol, Step step);
    [[nodiscard]] static Claim ended(Server& server, const Step& step);
    void keep_book(Server& server, const Reply& reply);

    const config::RedisSettings& settings_;
    const Clock& clock_;
    Log& log_;
    std::string token_;
    bool epoch_is_known_ = false;
    DigestCommand claim_;    // of a key
    DigestCommand look_;     // of a key
    DigestCommand confirm_;  // of a key and a mark
    DigestCommand release_;  // of a key
    LimitCommands limits_;
    ingress::asio::io_context& io_;
    std::deque<Server> servers_;
};

/// Without Redis: every event is fresh, duplicates are left to the inbox.
class NoDeduplicator final : public Deduplicator {
public:
    using Deduplicator::claim;
    [[nodiscard]] ingress::Task<Claim> claim(const Marker&, Counting*) override { co_return Claim::fresh; }
    void release(const Marker&) override {}
    void take_back(const Counting&) override {}
    void confirm(const Marker&) override {}
    void use_epoch(const std::string&) override {}
};

}  // namespace sluice::dedup
