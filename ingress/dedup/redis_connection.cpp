#include "ingress/dedup/redis_connection.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <format>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace sluice::dedup {
namespace {

using ingress::Task;
using ingress::use_task;

constexpr std::chrono::seconds connect_within{1};
constexpr std::chrono::milliseconds first_pause{50};
constexpr std::chrono::milliseconds longest_pause{2000};
constexpr std::size_t most_untold = 10'000;

bool is_refusal_or_ok(const Reply& reply) {
    return reply.kind == Reply::Kind::error ||
           (reply.kind == Reply::Kind::status && reply.text.view() == "OK");
}

std::string as_resp(std::span<const std::string_view> arguments) {
    std::string command = std::format("*{}\r\n", arguments.size());
    for (const std::string_view each : arguments)
        std::format_to(std::back_inserter(command), "${}\r\n{}\r\n", each.size(), each);
    return command;
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
      attempt_{io},
      oldest_{io},
      later_{io},
      pause_{io},
      resolver_{io} {
    if (server.tls) tls_.emplace(settings, log);
}

RedisConnection::~RedisConnection() {
    try {
        if (link_) give_up();
    } catch (const std::exception&) {  // whoever waits never goes on: its io_context runs no more
    }
}

void RedisConnection::start() {
    const ingress::Executor executor = io_.get_executor();
    ingress::asio::co_spawn(executor, keep_connected(), ingress::asio::detached);
}

Task<void> RedisConnection::keep_connected() {
    std::chrono::milliseconds pause = first_pause;
    while (true) {
        co_await live_once();
        pause = was_up_ ? first_pause : std::min(2 * pause, longest_pause);
        was_up_ = false;
        pause_.expires_after(pause);
        const auto [paused] = co_await pause_.async_wait(use_task);
        if (paused) co_return;
    }
}

/// One connection, from its making to its end.
Task<void> RedisConnection::live_once() {
    const std::optional<RedisLink::Endpoint> endpoint = co_await resolve();
    if (!endpoint) co_return;
    Ssl session = tls_ ? tls_->session(server_.host) : nullptr;
    if (tls_ && !session) co_return say_down("out of memory");
    const auto link = std::make_shared<RedisLink>(io_, std::move(session));
    begin(link);
    const RedisLink::Error refused = co_await link->connect(*endpoint);
    if (refused && link_ == link) drop(refused.message());
    if (link_ == link) greet();
    while (link_ == link) {
        const auto [error, bytes] = co_await link->read();
        if (link_ != link) break;
        if (error)
            drop(error.message());
        else
            take(bytes);
    }
}

Task<std::optional<RedisLink::Endpoint>> RedisConnection::resolve() {
    const std::string port = std::to_string(server_.port);
    const auto [error, found] = co_await resolver_.async_resolve(server_.host, port, use_task);
    if (error || found.empty()) {
        say_down(std::format("cannot resolve the name: {}", error.message()));
        co_return std::nullopt;
    }
    co_return found.begin()->endpoint();
}

void RedisConnection::begin(std::shared_ptr<RedisLink> link) {
    link_ = std::move(link);
    replies_.emplace();
    greetings_ = 0;
    give_up_in_time();
}

/// A server may take the connection and stay silent.
void RedisConnection::give_up_in_time() {
    attempt_.expires_after(connect_within);
    attempt_.async_wait([this, attempt = link_](boost::system::error_code error) {
        if (!error && link_ == attempt && !ready_) drop("no connection in time");
    });
}

/// The last reply makes the connection ready.
void RedisConnection::greet() {
    const std::string database = std::to_string(server_.database);
    const Secret user = settings_.username.now();
    const Secret password = settings_.password.now();
    std::vector<std::string_view> login{"AUTH"};
    if (!user.empty()) login.push_back(user.bytes());
    login.push_back(password.bytes());
    give_up_in_time();
    if (!settings_.password.empty()) greet_with(login);
    if (server_.database != 0) greet_with(std::array<std::string_view, 2>{"SELECT", database});
    greet_with(std::array<std::string_view, 1>{"PING"});
    link_->flush();
}

void RedisConnection::greet_with(std::span<const std::string_view> arguments) {
    link_->queue(as_resp(arguments));
    replies_->command_sent();
    ++greetings_;
}

void RedisConnection::greeted(const Reply& reply) {
    if (reply.kind == Reply::Kind::error) return drop(reply.text.view());
    if (reply.kind != Reply::Kind::status) return drop("an unexpected reply during login");
    if (--greetings_ > 0) return;
    ready_ = was_up_ = true;
    connected_gauge_.Set(1);
    const std::string server = name();
    log_.info("redis_ready", {{"server", std::string_view{server}}});
    said_down_ = false;
}

void RedisConnection::take(std::string_view bytes) {
    replies_->feed(bytes);
    while (link_) {
        const Reply* const reply = replies_->next();
        if (reply == nullptr) break;
        take(*reply);
    }
    if (link_ && !replies_->trouble().empty()) drop(replies_->trouble());
    resume_answered();
}

void RedisConnection::take(const Reply& reply) {
    if (greetings_ > 0) return greeted(reply);
    Question* const question = sent_.front();
    sent_.pop_front();
    if (question == nullptr) return told(reply);
    question->reply = reply;
    answered_.push_back(question);
}

void RedisConnection::told(const Reply& reply) {
    --untold_;
    if (!is_refusal_or_ok(reply)) drop("a reply that does not fit its command");
}

void RedisConnection::resume_answered() {
    answering_.swap(answered_);
    for (Question* const question : answering_) question->waiter.resume();
    answering_.clear();
}

bool RedisConnection::ask(Question& question, std::string_view command, SteadyTime give_up_at) {
    if (!ready_) return false;
    question.give_up_at = give_up_at;
    send(command, &question);
    link_->flush_soon();
    watch_oldest();
    return true;
}

void RedisConnection::tell(std::string_view command) {
    if (!ready_ || untold_ >= most_untold) return;
    send(command, nullptr);
    ++untold_;
    tell_in_time();
}

void RedisConnection::send(std::string_view command, Question* question) {
    link_->queue(command);
    replies_->command_sent();
    sent_.push_back(question);
}

/// One timer for all commands of `tell`, left running: most of them leave earlier, with a question.
void RedisConnection::tell_in_time() {
    if (telling_) return;
    telling_ = true;
    later_.expires_after(told_within);
    later_.async_wait([this](boost::system::error_code error) {
        if (error) return;
        telling_ = false;
        if (link_) link_->flush();
    });
}

void RedisConnection::drop(std::string_view why) {
    if (!link_) return;
    say_down(why);
    give_up();
}

/// Whoever waits goes on from the io_context's queue, without a reply.
void RedisConnection::give_up() {
    ready_ = false;
    connected_gauge_.Set(0);
    link_->close();
    link_.reset();
    for (Question* const question : sent_)
        if (question != nullptr) question->waiter.wake();
    sent_.clear();
    untold_ = 0;
}

const RedisConnection::Question* RedisConnection::oldest_question() const {
    const auto oldest = std::ranges::find_if(sent_, [](const Question* each) { return each != nullptr; });
    return oldest == sent_.end() ? nullptr : *oldest;
}

/// One timer for all that wait: it watches the oldest, whose time is up first.
void RedisConnection::watch_oldest() {
    if (watching_) return;
    const Question* const oldest = oldest_question();
    if (oldest == nullptr) return;
    watching_ = true;
    oldest_.expires_at(oldest->give_up_at);
    oldest_.async_wait([this](boost::system::error_code error) {
        if (error) return;
        watching_ = false;
        check_oldest();
    });
}

void RedisConnection::check_oldest() {
    const Question* const oldest = oldest_question();
    if (oldest != nullptr && oldest->give_up_at <= clock_.steady()) drop("no reply in time");
    watch_oldest();
}

void RedisConnection::say_down(std::string_view why) {
    if (said_down_) return;
    said_down_ = true;
    const std::string server = name();
    log_.warn("redis_unavailable", {{"server", std::string_view{server}}, {"why", why}});
}

std::string RedisConnection::name() const {
    return std::format("{}:{}", server_.host, server_.port);
}

}  // namespace sluice::dedup
