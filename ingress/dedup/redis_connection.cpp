#include "ingress/dedup/redis_connection.hpp"

#include <algorithm>
#include <array>
#include <format>
#include <vector>

#include <hiredis/hiredis_ssl.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "ingress/dedup/redis_events.hpp"
#include "ingress/dedup/redis_reply.hpp"

namespace sluice::dedup {
namespace {

using ingress::Task;
using ingress::use_task;

constexpr std::chrono::seconds connect_within{1};
constexpr std::chrono::milliseconds first_pause{50};
constexpr std::chrono::milliseconds longest_pause{2000};
constexpr std::size_t most_untold = 10'000;

RedisConnection& owner_of(const redisAsyncContext* context) {
    return *static_cast<RedisConnection*>(context->data);
}

bool is_refusal_or_ok(const redisReply& reply) {
    return reply.type == REDIS_REPLY_ERROR ||
           (reply.type == REDIS_REPLY_STATUS && std::string_view{reply.str} == "OK");
}

}  // namespace

RedisConnection::RedisConnection(ingress::asio::io_context& io, const config::RedisServer& server,
                                 const config::RedisSettings& settings, const Clock& clock, Log& log,
                                 Gauge& connected)
    : io_{io},
      server_{server},
      settings_{settings},
      clock_{clock},
      log_{log},
      connected_gauge_{connected},
      oldest_{io},
      later_{io},
      pause_{io},
      resolver_{io} {
    if (server.tls) tls_.emplace(settings, log);
}

RedisConnection::~RedisConnection() {
    closing_ = true;
    if (context_ != nullptr) redisAsyncFree(context_);
}

void RedisConnection::start() {
    const ingress::Executor executor = io_.get_executor();
    ingress::asio::co_spawn(executor, keep_connected(), ingress::asio::detached);
}

Task<void> RedisConnection::keep_connected() {
    std::chrono::milliseconds pause = first_pause;
    while (true) {
        const std::optional<std::string> address = co_await resolve();
        if (address && open(*address)) {
            co_await gone_.wait();
        }
        pause = was_up_ ? first_pause : std::min(2 * pause, longest_pause);
        was_up_ = false;
        pause_.expires_after(pause);
        const auto [paused] = co_await pause_.async_wait(use_task);
        if (paused) co_return;
    }
}

// hiredis would look the name up on this thread, which serves requests.
Task<std::optional<std::string>> RedisConnection::resolve() {
    const std::string port = std::to_string(server_.port);
    const auto [error, found] = co_await resolver_.async_resolve(server_.host, port, use_task);
    if (error || found.empty()) {
        say_down(std::format("cannot resolve the name: {}", error.message()));
        co_return std::nullopt;
    }
    co_return found.begin()->endpoint().address().to_string();
}

bool RedisConnection::open(const std::string& address) {
    redisOptions options{};
    options.type = REDIS_CONN_TCP;
    options.endpoint.tcp.ip = address.c_str();
    options.endpoint.tcp.port = server_.port;
    const timeval within{connect_within.count(), 0};
    options.connect_timeout = &within;
    redisAsyncContext* context = redisAsyncConnectWithOptions(&options);
    if (context == nullptr) return false;
    context_ = context;
    context->data = this;
    guard_.watch(*context);
    context->dataCleanup = [](void* connection) { static_cast<RedisConnection*>(connection)->gone(); };
    redisAsyncSetConnectCallback(
        context, [](const redisAsyncContext* c, int status) { owner_of(c).connected(status); });
    if (context->err != 0 || !secure(*context) || !attach(*context, io_, [this] { resume_answered(); })) {
        say_down(context->err != 0 ? context->errstr : "the socket cannot be used");
        redisAsyncFree(context);
        return true;  // `gone` was called: the caller's wait ends at once
    }
    greet();
    return true;
}

bool RedisConnection::secure(redisAsyncContext& context) {
    if (!tls_) return true;
    Ssl ssl = tls_->session(server_.host);
    if (!ssl) return false;
    if (redisInitiateSSL(&context.c, ssl.get()) != REDIS_OK) return false;
    static_cast<void>(ssl.release());  // hiredis owns it now
    return true;
}

/// Queued before the connection is up; hiredis sends it first. The last reply makes the connection ready.
void RedisConnection::greet() {
    const std::string database = std::to_string(server_.database);
    static constexpr bool more = false;
    static constexpr bool last = true;
    const Secret user = settings_.username.now();
    const Secret password = settings_.password.now();
    std::vector<std::string_view> login{"AUTH"};
    if (!user.empty()) login.push_back(user.bytes());
    login.push_back(password.bytes());
    if (!settings_.password.empty() && !greet_with(more, login)) return;
    const std::array<std::string_view, 2> select{"SELECT", database};
    if (server_.database != 0 && !greet_with(more, select)) return;
    const std::array<std::string_view, 1> ping{"PING"};
    static_cast<void>(greet_with(last, ping));
}

bool RedisConnection::greet_with(const bool& is_last, std::span<const std::string_view> arguments) {
    std::array<const char*, 3> pointers{};
    std::array<std::size_t, 3> lengths{};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        pointers[i] = arguments[i].data();
        lengths[i] = arguments[i].size();
    }
    if (redisAsyncCommandArgv(context_, on_greeting, const_cast<bool*>(&is_last),
                              static_cast<int>(arguments.size()), pointers.data(),
                              lengths.data()) != REDIS_OK)
        return false;
    guard_.command_sent();
    return true;
}

void RedisConnection::on_greeting(redisAsyncContext* context, void* reply, void* last) {
    owner_of(context).greeted(static_cast<const redisReply*>(reply), *static_cast<const bool*>(last));
}

void RedisConnection::greeted(const redisReply* reply, bool last) {
    if (reply == nullptr) return;
    if (reply->type != REDIS_REPLY_STATUS)
        return drop(reply->type == REDIS_REPLY_ERROR ? std::string_view{reply->str, reply->len}
                                                     : "an unexpected reply during login");
    if (!last) return;
    ready_ = was_up_ = true;
    connected_gauge_.Set(1);
    const std::string server = name();
    log_.info("redis_ready", {{"server", std::string_view{server}}});
    said_down_ = false;
}

void RedisConnection::connected(int status) {
    if (status != REDIS_OK) say_down(context_->errstr);
}

/// hiredis is about to free the context; every pending callback has been called with no reply.
void RedisConnection::gone() {
    if (guard_.has_tripped()) say_down("a reply without a command");
    if (ready_) say_down(context_->err != 0 ? context_->errstr : "the connection was dropped");
    context_ = nullptr;
    ready_ = false;
    untold_ = 0;
    connected_gauge_.Set(0);
    if (!closing_) gone_.wake();
}

Task<Reply> RedisConnection::ask(std::string_view command, Milliseconds within) {
    if (!ready_) co_return Reply{};
    Question question;
    question.give_up_at = clock_.steady() + within;
    if (!send(on_answer, &question, command)) co_return Reply{};
    waiting_.push_back(&question);
    watch_oldest();
    co_await question.waiter.wait();
    co_return std::move(question.reply);
}

void RedisConnection::on_answer(redisAsyncContext* context, void* reply, void* data) {
    RedisConnection& self = owner_of(context);
    Question& question = *static_cast<Question*>(data);
    // Replies come in the order of the commands; `tell` is not in this list.
    self.waiting_.pop_front();
    question.reply = reply_from(static_cast<const redisReply*>(reply));
    if (reply != nullptr)
        self.answered_.push_back(&question);
    else
        question.waiter.wake();  // the connection ends, perhaps inside any caller
}

void RedisConnection::resume_answered() {
    answering_.swap(answered_);
    for (Question* const question : answering_) question->waiter.resume();
    answering_.clear();
}

void RedisConnection::tell(std::string_view command) {
    if (!ready_ || untold_ >= most_untold) return;
    may_wait(*context_, true);
    if (send(on_told, nullptr, command)) ++untold_;
    if (context_ != nullptr) may_wait(*context_, false);
    tell_in_time();
}

/// One timer for all commands of `tell`, left running: most of them leave earlier, with a question.
void RedisConnection::tell_in_time() {
    if (telling_) return;
    telling_ = true;
    later_.expires_after(told_within);
    later_.async_wait([this](boost::system::error_code error) {
        if (error) return;
        telling_ = false;
        if (ready_) flush(*context_);
    });
}

void RedisConnection::on_told(redisAsyncContext* context, void* data, void*) {
    RedisConnection& self = owner_of(context);
    const auto* reply = static_cast<const redisReply*>(data);
    if (reply == nullptr) return;
    --self.untold_;
    if (!is_refusal_or_ok(*reply)) self.drop("a reply that does not fit its command");
}

bool RedisConnection::send(redisCallbackFn* done, void* data, std::string_view command) {
    if (redisAsyncFormattedCommand(context_, done, data, command.data(), command.size()) != REDIS_OK)
        return false;
    guard_.command_sent();
    return true;
}

void RedisConnection::drop(std::string_view why) {
    if (context_ == nullptr) return;
    say_down(why);
    ready_ = false;
    redisAsyncFree(context_);  // inside one of its callbacks: as soon as that returns
}

/// One timer for all that wait: it watches the oldest, whose time is up first.
void RedisConnection::watch_oldest() {
    if (watching_ || waiting_.empty()) return;
    watching_ = true;
    oldest_.expires_at(waiting_.front()->give_up_at);
    oldest_.async_wait([this](boost::system::error_code error) {
        if (error) return;
        watching_ = false;
        check_oldest();
    });
}

void RedisConnection::check_oldest() {
    if (waiting_.empty()) return;
    if (waiting_.front()->give_up_at <= clock_.steady()) drop("no reply in time");
    watch_oldest();
}

void RedisConnection::say_down(std::string_view why) {
    if (said_down_ || closing_) return;
    said_down_ = true;
    const std::string server = name();
    log_.warn("redis_unavailable", {{"server", std::string_view{server}}, {"why", why}});
}

std::string RedisConnection::name() const {
    return std::format("{}:{}", server_.host, server_.port);
}

}  // namespace sluice::dedup
