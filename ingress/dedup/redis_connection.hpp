#pragma once

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hiredis/async.h>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/asio/waiter.hpp"
#include "ingress/dedup/claim_protocol.hpp"
#include "ingress/dedup/redis_tls.hpp"
#include "ingress/dedup/reply_guard.hpp"

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

    /// Sends a command, as RESP, and waits for its reply, at most `within`. Reply::Kind::none when the
    /// connection is not ready or goes. The bytes are read before the first suspension.
    [[nodiscard]] ingress::Task<Reply> ask(std::string_view command, Milliseconds within);
    /// Sends a command without waiting for its reply, with the next one that is asked or after `told_within`.
    /// Dropped when the connection is not ready or far behind.
    void tell(std::string_view command);
    static constexpr std::chrono::milliseconds told_within{20};
    /// Ends the connection; a new one is made.
    void drop(std::string_view why);

private:
    struct Question {
        ingress::Waiter waiter;
        Reply reply;
        SteadyTime give_up_at{};
    };

    ingress::Task<void> keep_connected();
    ingress::Task<std::optional<std::string>> resolve();
    [[nodiscard]] bool open(const std::string& address);
    [[nodiscard]] bool secure(redisAsyncContext& context);
    void greet();
    void greeted(const redisReply* reply, bool last);
    void connected(int status);
    void gone();
    void watch_oldest();
    void check_oldest();
    void resume_answered();
    void tell_in_time();
    [[nodiscard]] bool send(redisCallbackFn* done, void* data, std::string_view command);
    [[nodiscard]] bool greet_with(const bool& is_last, std::span<const std::string_view> arguments);
    [[nodiscard]] std::string name() const;
    void say_down(std::string_view why);

    static void on_answer(redisAsyncContext* context, void* reply, void* question);
    static void on_told(redisAsyncContext* context, void* reply, void*);
    static void on_greeting(redisAsyncContext* context, void* reply, void* last);

    ingress::asio::io_context& io_;
    const config::RedisServer& server_;
    const config::RedisSettings& settings_;
    std::optional<RedisTls> tls_;  // nothing: plain
    const Clock& clock_;
    Log& log_;
    Gauge& connected_gauge_;

    ReplyGuard guard_;                      // of the context
    redisAsyncContext* context_ = nullptr;  // hiredis frees it and reports it through dataCleanup
    bool ready_ = false;
    bool was_up_ = false;  // since the last attempt
    bool closing_ = false;
    bool said_down_ = false;
    std::deque<Question*> waiting_;     // oldest first; they live in the frames that wait
    std::vector<Question*> answered_;   // inside hiredis: they go on when it has returned
    std::vector<Question*> answering_;  // its memory
    std::size_t untold_ = 0;            // commands of `tell` without a reply yet
    bool watching_ = false;
    bool telling_ = false;
    ingress::Timer oldest_;
    ingress::Timer later_;
    ingress::Timer pause_;
    ingress::asio::ip::basic_resolver<ingress::Tcp, ingress::Executor> resolver_;
    ingress::Waiter gone_;
};

}  // namespace sluice::dedup
