#include "ctl/doctor/redis_checks.hpp"

#include <charconv>
#include <format>

#include "common/crypto/random.hpp"
#include "common/redis/session.hpp"

namespace sluice::ctl {
namespace {

constexpr std::chrono::seconds patience{3};
constexpr int least_version = 7;  // SET with NX and GET together

RedisFacts::Info info_of(redis::Session& redis, const std::string& section, const std::string& field) {
    const auto reply = redis.ask(std::vector<std::string>{"INFO", section});
    if (!reply) return std::unexpected{reply.error()};
    const auto text = (*reply)->str == nullptr ? std::string{} : std::string{(*reply)->str, (*reply)->len};
    const auto value = info_field(text, field);
    if (!value) return std::unexpected{"INFO " + section + " has no " + field};
    return *value;
}

/// What a claim does: the first one gets nil, the second one the first one's value.
std::string try_claim(redis::Session& redis) {
    const std::string key = "wh:doctor:" + crypto::random_hex(16);
    const std::vector<std::string> claim{"SET", key, "P:doctor", "NX", "GET", "PX", "1000"};
    const auto first = redis.ask(claim);
    if (!first) return first.error();
    if ((*first)->type != REDIS_REPLY_NIL) return "the first SET NX GET of a key did not return nil";
    const auto second = redis.ask(claim);
    if (!second) return second.error();
    const bool is_known =
        (*second)->type == REDIS_REPLY_STRING && std::string{(*second)->str, (*second)->len} == "P:doctor";
    return is_known ? "" : "the second SET NX GET of a key did not return its value";
}

std::optional<WallTime> time_of(redis::Session& redis) {
    const auto reply = redis.ask(std::vector<std::string>{"TIME"});
    if (!reply || (*reply)->type != REDIS_REPLY_ARRAY || (*reply)->elements != 2) return std::nullopt;
    const auto number = [&](std::size_t i) { return std::strtoll((*reply)->element[i]->str, nullptr, 10); };
    return WallTime{std::chrono::seconds{number(0)} + std::chrono::microseconds{number(1)}};
}

Finding judge_version(const std::string& version) {
    int major = 0;
    std::from_chars(version.data(), version.data() + version.size(), major);
    if (major >= least_version) return {"redis.version", Level::ok, version};
    return {"redis.version", Level::fail,
            "version " + version + " does not support SET with both NX and GET: 7.0 or later is required"};
}

Finding judge_eviction(const std::string& policy) {
    if (policy == "noeviction")
        return {"redis.eviction", Level::ok,
                "noeviction: if Redis is full, it answers with an error, and the event is published"};
    return {"redis.eviction", Level::warn,
            "maxmemory-policy is " + policy +
                ", which evicts markers silently, so duplicates reach the inbox: set noeviction"};
}

}  // namespace

std::optional<std::string> info_field(const std::string& info, const std::string& name) {
    const std::string lines = "\n" + info;
    const std::size_t found = lines.find("\n" + name + ":");
    if (found == std::string::npos) return std::nullopt;
    const std::size_t start = found + name.size() + 2;
    return lines.substr(start, lines.find_first_of("\r\n", start) - start);
}

Findings judge_redis(const std::string& address, const RedisFacts& facts, WallTime now) {
    Findings findings{{"redis", Level::ok, address + " answers"}};
    findings.push_back(facts.version
                           ? judge_version(*facts.version)
                           : Finding{"redis.version", Level::warn,
                                     facts.version.error() + ": check that the version is 7.0 or later"});
    if (facts.claim_refusal.empty()) {
        findings.push_back(
            {"redis.claim", Level::ok, "SET NX GET PX works with this account for keys under wh:"});
    } else {
        findings.push_back(
            {"redis.claim", Level::fail,
             "SET NX GET PX fails for keys under wh:, so Redis drops no duplicates: " + facts.claim_refusal});
    }
    findings.push_back(facts.eviction_policy ? judge_eviction(*facts.eviction_policy)
                                             : Finding{"redis.eviction", Level::warn,
                                                       facts.eviction_policy.error() +
                                                           ": check that maxmemory-policy is noeviction"});
    if (facts.time) findings.push_back(judge_clock("redis.clock", now, *facts.time));
    return findings;
}

Findings check_redis(const config::RedisSettings& settings, const Clock& clock) {
    Findings findings;
    if (settings.servers.empty())
        return {{"redis", Level::warn, "Redis is not configured: every redelivery reaches the inbox"}};
    for (const auto& server : settings.servers) {
        auto redis = redis::Session::open(settings, server, patience);
        const auto pong = redis ? redis->ask(std::vector<std::string>{"PING"})
                                : std::expected<redis::Reply, std::string>{std::unexpected{redis.error()}};
        if (!pong) {
            findings.push_back({"redis", Level::fail,
                                redis::address_of(server) + ": " + pong.error() +
                                    "; until it answers, every event is published"});
            continue;
        }
        RedisFacts facts{.version = info_of(*redis, "server", "redis_version"),
                         .eviction_policy = info_of(*redis, "memory", "maxmemory_policy"),
                         .claim_refusal = try_claim(*redis),
                         .time = time_of(*redis)};
        append(findings, judge_redis(redis::address_of(server), facts, clock.wall()));
    }
    return findings;
}

}  // namespace sluice::ctl
