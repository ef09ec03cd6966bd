#include "common/redis/session.hpp"

#include <sys/time.h>

namespace sluice::redis {
namespace {

timeval timeval_of(std::chrono::milliseconds duration) {
    return {.tv_sec = duration.count() / 1000, .tv_usec = duration.count() % 1000 * 1000};
}

const char* c_text_or_null(const std::string& text) {
    return text.empty() ? nullptr : text.c_str();
}

std::vector<std::string> login_of(const config::RedisSettings& settings) {
    std::vector<std::string> words{"AUTH"};
    if (!settings.username.empty()) words.emplace_back(settings.username.now().bytes());
    words.emplace_back(settings.password.now().bytes());
    return words;
}

}  // namespace

std::expected<Session, std::string> Session::open(const config::RedisSettings& settings,
                                                  const config::RedisServer& server,
                                                  std::chrono::milliseconds patience) {
    Session session;
    session.context_.reset(redisConnectWithTimeout(server.host.c_str(), server.port, timeval_of(patience)));
    if (!session.context_) return std::unexpected{"out of memory"};
    redisContext& context = *session.context_;
    if (context.err != 0) return std::unexpected{std::string{context.errstr}};
    static_cast<void>(redisSetTimeout(&context, timeval_of(patience)));
    if (server.tls) {
        redisSSLContextError error = REDIS_SSL_CTX_NONE;
        session.tls_.reset(redisCreateSSLContext(
            c_text_or_null(settings.tls.ca_file), settings.tls.ca_file.empty() ? "/etc/ssl/certs" : nullptr,
            c_text_or_null(settings.tls.cert_file), c_text_or_null(settings.tls.key_file),
            server.host.c_str(), &error));
        if (!session.tls_) return std::unexpected{std::string{redisSSLContextGetError(error)}};
        if (redisInitiateSSLWithContext(&context, session.tls_.get()) != REDIS_OK)
            return std::unexpected{std::string{context.errstr}};
    }
    if (!settings.password.empty()) {
        if (const auto reply = session.ask(login_of(settings)); !reply) return std::unexpected{reply.error()};
    }
    const std::vector<std::string> select{"SELECT", std::to_string(server.database)};
    if (const auto reply = session.ask(select); server.database != 0 && !reply)
        return std::unexpected{reply.error()};
    return session;
}

std::expected<Reply, std::string> Session::ask(std::span<const std::string> words) {
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const auto& word : words) {
        texts.push_back(word.data());
        sizes.push_back(word.size());
    }
    Reply reply{static_cast<redisReply*>(
        redisCommandArgv(context_.get(), static_cast<int>(words.size()), texts.data(), sizes.data()))};
    if (!reply) return std::unexpected{std::string{context_->errstr}};
    if (reply->type == REDIS_REPLY_ERROR) return std::unexpected{std::string{reply->str, reply->len}};
    return reply;
}

std::string address_of(const config::RedisServer& server) {
    return (server.tls ? "rediss://" : "redis://") + server.host + ":" + std::to_string(server.port) + "/" +
           std::to_string(server.database);
}

}  // namespace sluice::redis
