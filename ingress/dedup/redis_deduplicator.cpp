#include "ingress/dedup/redis_deduplicator.hpp"

#include "common/crypto/random.hpp"
#include "common/record/marker_key.hpp"

namespace sluice::dedup {

using ingress::Task;
using ingress::use_task;

RedisDeduplicator::RedisDeduplicator(ingress::asio::io_context& io, const config::RedisSettings& settings,
                                     const Clock& clock, Log& log, Metrics& metrics, const Program& program)
    : settings_{settings}, clock_{clock}, log_{log}, token_{pending_marker(crypto::random_hex(8))}, io_{io} {
    for (const config::RedisServer& server : settings.servers) {
        Gauge& connected =
            metrics.gauge(program.metric("redis_connected"), "1 while the Redis server is connected",
                          {{"server", std::format("{}:{}", server.host, server.port)}});
        servers_.emplace_back(io, server, settings, clock, log, connected);
    }
}

void RedisDeduplicator::start() {
    for (Server& server : servers_) server.connection.start();
}

RedisDeduplicator::Server& RedisDeduplicator::server_of(const crypto::Digest& digest) {
    // It is a SHA-256: any of its bytes are evenly spread.
    const std::size_t number = std::size_t{digest[0]} << 8 | digest[1];
    return servers_[number % servers_.size()];
}

void RedisDeduplicator::use_epoch(const std::string& epoch) {
    const std::string key = record::marker_key(epoch, DigestCommand::digest_here);
    const std::string durable = durable_marker(DigestCommand::digest_here);
    const std::string lease = std::to_string(settings_.lease.count());
    const std::string ttl = std::to_string(settings_.ttl.count());
    claim_ = DigestCommand{"SET", key, token_, "NX", "GET", "PX", lease};
    look_ = DigestCommand{"GET", key};
    confirm_ = DigestCommand{"SET", key, durable, "PX", ttl};
    limits_ = LimitCommands{epoch};
    release_ = DigestCommand{"SET", key, token_, "PX", "1"};
    epoch_is_known_ = !epoch.empty();
}

Task<Claim> RedisDeduplicator::claim(const Marker& marker, Counting* counting) {
    if (counting != nullptr) counting->is_unknown = true;
    Server& server = server_of(marker.key);
    const SteadyTime now = clock_.steady();
    if (!epoch_is_known_ || !server.connection.is_ready() || !server.breaker.allows(now))
        co_return Claim::unavailable;
    RedisConnection::Question counted;
    Server* const home = counting == nullptr ? nullptr : &server_of(counting->home);
    const bool is_counted =
        home != nullptr && (home == &server || home->breaker.allows(now)) &&
        home->connection.ask(counted, limits_.count(*counting), now + settings_.answer_within);
    RedisConnection::Question question;
    const bool asked =
        server.connection.ask(question, claim_.with({marker.key}), now + settings_.answer_within);
    // Both stand in this frame: it may not go on while one is on its way.
    if (asked) co_await question.waiter.wait();
    if (is_counted) co_await counted.waiter.wait();
    if (is_counted && home != &server) keep_book(*home, counted.reply);
    if (is_counted && !read_counted(counted.reply, *counting))
        home->connection.drop("a reply that does not fit a limit");
    keep_book(server, question.reply);

    ClaimProtocol protocol{marker.mark};
    const Step step = protocol.claimed(question.reply);
    if (step.look_again_after) co_return co_await look_again(server, marker, protocol, step);
    co_return ended(server, step);
}

/// A coroutine of its own, since it is rare: Asio keeps no frame above 1,020 bytes for the next claim, and
/// gives one that it kept back to the heap for each that it has to make.
Task<Claim> RedisDeduplicator::look_again(Server& server, const Marker& marker, ClaimProtocol protocol,
                                          Step step) {
    while (step.look_again_after) {
        ingress::Timer wait{io_, *step.look_again_after};
        const auto [interrupted] = co_await wait.async_wait(use_task);
        if (interrupted) co_return Claim::unavailable;
        RedisConnection::Question look;
        const SteadyTime give_up_at = clock_.steady() + settings_.answer_within;
        const bool asks = server.connection.ask(look, look_.with({marker.key}), give_up_at);
        if (asks) co_await look.waiter.wait();
        keep_book(server, look.reply);
        step = protocol.looked(look.reply);
    }
    co_return ended(server, step);
}

Claim RedisDeduplicator::ended(Server& server, const Step& step) {
    if (step.distrust_connection) server.connection.drop("a reply that does not fit any command");
    return step.claim;
}

/// It expires at once. A durable marker that took its place meanwhile goes too, which costs one publication.
void RedisDeduplicator::release(const Marker& marker) {
    if (!epoch_is_known_) return;
    server_of(marker.key).connection.tell(release_.with({marker.key}));
}

void RedisDeduplicator::take_back(const Counting& counting) {
    server_of(counting.home).connection.tell(limits_.take_back(counting));
}

void RedisDeduplicator::confirm(const Marker& marker) {
    if (!epoch_is_known_) return;
    server_of(marker.key).connection.tell(confirm_.with({marker.key, marker.mark}));
}

void RedisDeduplicator::keep_book(Server& server, const Reply& reply) {
    const bool was_open = server.breaker.is_open();
    if (reply.kind == Reply::Kind::nil || reply.kind == Reply::Kind::text)
        server.breaker.succeeded();
    else
        server.breaker.failed(clock_.steady());
    if (server.breaker.is_open() == was_open) return;
    if (was_open)
        log_.info("redis_breaker_closed", {});
    else
        log_.warn("redis_breaker_open",
                  {{"why", reply.text.view().empty() ? "no reply in time" : reply.text.view()}});
}

}  // namespace sluice::dedup
