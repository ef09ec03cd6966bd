#include <algorithm>
#include <expected>
#include <limits>

#include "common/config/scalar_text.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/host_port.hpp"
#include "common/config/settings/tls_settings.hpp"

namespace sluice::config {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr int most_databases = 1'000'000;

/// The server, or what is wrong with its URL. Sentences never quote it: it may hold a password.
std::expected<RedisServer, std::string> server_from_url(std::string_view url) {
    constexpr std::uint16_t redis_port = 6379;
    RedisServer server;
    if (url.find('@') != std::string_view::npos) {
        return std::unexpected{
            std::string{"must not contain credentials: they belong in redis.username and redis.password"}};
    }
    const auto wrong = std::unexpected{
        std::string{"must each be redis://HOST:PORT/DATABASE or rediss://HOST:PORT/DATABASE"}};
    server.tls = url.starts_with("rediss://");
    if (!server.tls && !url.starts_with("redis://")) return wrong;
    url.remove_prefix(url.find("//") + 2);
    const auto slash = std::min(url.find('/'), url.size());
    const auto address = host_port_from_text(url.substr(0, slash), redis_port);
    if (!address || address->port == 0) return wrong;
    server.host = address->host;
    server.port = address->port;
    if (slash + 1 < url.size()) {
        const auto database = integer_from_text(url.substr(slash + 1));
        if (!database || *database < 0 || *database > most_databases) return wrong;
        server.database = static_cast<int>(*database);
    }
    return server;
}

std::vector<RedisServer> read_servers(Section& redis) {
    std::vector<RedisServer> servers;
    for (const auto& url : redis.texts("urls")) {
        auto server = server_from_url(url);
        if (server) {
            servers.push_back(std::move(*server));
        } else {
            redis.problem_at("urls", "redis.urls " + server.error());
        }
    }
    return servers;
}

void read_tls_of_servers(Section& redis, RedisSettings& settings) {
    settings.tls = read_tls(redis, "tls", TlsSide::client);
    const bool any_plain =
        std::ranges::any_of(settings.servers, [](const auto& server) { return !server.tls; });
    if (settings.tls.enabled && any_plain) {
        redis.problem_at("urls", "redis.urls must all begin with rediss:// because redis.tls is set");
    }
    settings.tls.enabled = std::ranges::any_of(settings.servers, &RedisServer::tls);
}

void read_times(Section& redis, RedisSettings& settings) {
    settings.lease = redis.duration("lease", settings.lease, Milliseconds{100}, hours{1});
    settings.ttl = redis.duration("ttl", settings.ttl, minutes{1}, hours{24 * 365});
    settings.answer_within =
        redis.duration("answer_within", settings.answer_within, Milliseconds{1}, Milliseconds{1'000});
    if (settings.ttl <= settings.lease) {
        redis.problem_at("ttl", "redis.ttl must exceed redis.lease: a durable marker outlives a claim");
    }
    if (settings.lease <= settings.answer_within) {
        redis.problem_at("lease", "redis.lease must exceed redis.answer_within");
    }
}

}  // namespace

RedisSettings read_redis(const Document& document, Problems& problems) {
    auto redis = document.section("redis");
    RedisSettings settings;
    settings.servers = read_servers(redis);
    if (!redis.has("urls") || redis.texts("urls").empty()) {
        redis.warn(
            "redis.urls names no server: every redelivery is published again, and only the inbox drops it");
    }
    settings.username = read_user(redis, "username", problems);
    settings.password = read_password(redis, "password", problems);
    if (redis.has("username") && !redis.has("password")) {
        redis.problem_at("username", "redis.username needs redis.password");
    }
    read_tls_of_servers(redis, settings);
    read_times(redis, settings);
    settings.epoch = redis.integer("epoch", settings.epoch, 0, std::numeric_limits<std::int64_t>::max());
    return settings;
}

}  // namespace sluice::config
