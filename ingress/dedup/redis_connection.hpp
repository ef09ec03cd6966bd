#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/asio/waiter.hpp"
#include "ingress/dedup/redis_link.hpp"
#include "ingress/dedup/redis_tls.hpp"
#include "ingress/dedup/reply_reader.hpp"

namespace sluice::dedup {

/// One pipelined connection to one Redis server, kept up: it connects, authenticates and selects its
/// database by itself, again and again. A connection that was too slow once, or gave a reply that no
/// command of ours can get, is dropped with everything that waits on it and never used again: otherwise
/// we could believe a reply to another command. One thread.
class RedisConnection {
public:
    /// Throws config::Refused that names the file of redis.tls which cannot be used. All that is given
    /// outlives this; this dies after its io_context has stopped running.
    RedisConnection(ingress::asio::io_context& io, const config::RedisServer& server,
                    const config::RedisSettings& settings, const Clock& clock, Log& log, Gauge& connected);
    ~RedisConnection();
    RedisConnection(const RedisConnection&) = delete;
    RedisConnection& operator=(const RedisConnection&) = delete;

    void start();
    [[nodiscard]] bool is_ready() const noexcept { return ready_; }

    /// A command that waits for its reply, in the frame that awaits it.
    struct Question {
        ingress::Waiter waiter;
        Reply reply;  // Kind::none when the connection went
        SteadyTime give_up_at{};
    };
    /// Sends a command, as RESP; its waiter is woken, soon after `give_up_at` at the latest. False when the
    /// connection is not ready: then it is never woken.
    [[nodiscard]] bool ask(Question& question, std::string_view command, SteadyTime give_up_at);
    /// Sends a command without waiting for its reply, with the next one that is asked or after `told_within`.
    /// Dropped when the connection is not ready or far behind.
    void tell(std::string_view command);
    static constexpr std::chrono::milliseconds told_within{20};
    /// Ends the connection; a new one is made.
    void drop(std::string_view why);

private:
    // The life of a connection.
    ingress::Task<void> keep_connected();
    ingress::Task<void> live_once();
    ingress::Task<std::optional<RedisLink::Endpoint>> resolve();
    void begin(std::shared_ptr<RedisLink> link);
    void greet();
    void greet_with(std::span<const std::string_view> arguments);
    void greeted(const Reply& reply);
    void give_up_in_time();
    void give_up();

    // The replies, in the order of the commands.
    void take(std::string_view bytes);
    void take(const Reply& reply);
    void told(const Reply& reply);
    void resume_answered();
    void send(std::string_view command, Question* question);

    [[nodiscard]] const Question* oldest_question() const;  // null: nobody waits
    void watch_oldest();
    void check_oldest();
    void tell_in_time();
    [[nodiscard]] std::string name() const;
    void say_down(std::string_view why);

    ingress::asio::io_context& io_;
    const config::RedisServer& server_;
    const config::RedisSettings& settings_;
    std::optional<RedisTls> tls_;  // nothing: plain
    const Clock& clock_;
    Log& log_;
    Gauge& connected_gauge_;

    std::shared_ptr<RedisLink> link_;     // null between two connections
    std::optional<ReplyReader> replies_;  // of the link
    std::size_t greetings_ = 0;           // of the link, without a reply yet
    bool ready_ = false;
    bool was_up_ = false;  // since the last attempt
    bool said_down_ = false;
    std::deque<Question*> sent_;        // oldest first; they live in the frames that wait. Null: of `tell`
    std::vector<Question*> answered_;   // they go on when all replies that came have been taken
    std::vector<Question*> answering_;  // its memory
    std::size_t untold_ = 0;            // commands of `tell` without a reply yet
    bool watching_ = false;
    bool telling_ = false;
    ingress::Timer attempt_;
    ingress::Timer oldest_;
    ingress::Timer later_;
    ingress::Timer pause_;
    ingress::asio::ip::basic_resolver<ingress::Tcp, ingress::Executor> resolver_;
};

}  // namespace sluice::dedup
