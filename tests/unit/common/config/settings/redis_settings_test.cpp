#include <gtest/gtest.h>

#include "common/config/settings/connections.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;

struct RedisRead {
    RedisSettings settings;
    std::string report;
    std::vector<std::string> warnings;
};

RedisRead read_text_of_redis(const std::string& redis) {
    Reading reading{"redis: {" + redis + "}\n"};
    auto settings = read_redis(reading.document(), reading.problems());
    return {std::move(settings), reading.report(), reading.problems().warnings()};
}

RedisServer server(const std::string& url) {
    const auto [settings, report, warnings] = read_text_of_redis("urls: [\"" + url + "\"]");
    EXPECT_EQ(report, "") << url;
    return settings.servers.size() == 1 ? settings.servers.front() : RedisServer{};
}

TEST(RedisSettings, DefaultsAreTheDesigns) {
    const auto [settings, report, warnings] = read_text_of_redis("urls: \"redis://redis:6379/0\"");
    EXPECT_EQ(report, "");
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(settings.lease, 10s);
    EXPECT_EQ(settings.ttl, 72h);
    EXPECT_EQ(settings.answer_within, 20ms);
    EXPECT_EQ(settings.epoch, 1);
    EXPECT_FALSE(settings.tls.enabled);
    EXPECT_TRUE(settings.password.empty());
}

TEST(RedisSettings, UrlNamesHostPortAndDatabase) {
    const auto full = server("redis://redis-1:7000/5");
    EXPECT_EQ(full.host, "redis-1");
    EXPECT_EQ(full.port, 7000);
    EXPECT_EQ(full.database, 5);
    EXPECT_FALSE(full.tls);
    EXPECT_EQ(server("redis://redis").port, 6379);
    EXPECT_EQ(server("redis://redis/").database, 0);
    EXPECT_EQ(server("redis://[::1]:7000/1").host, "::1");
}

TEST(RedisSettings, RedissMeansTls) {
    EXPECT_TRUE(server("rediss://redis").tls);
    EXPECT_TRUE(read_text_of_redis("urls: \"rediss://redis\"").settings.tls.enabled);
}

TEST(RedisSettings, TlsSettingsNeedTlsUrls) {
    EXPECT_NE(read_text_of_redis("urls: \"redis://redis\", tls: {enabled: true}").report.find("rediss://"),
              std::string::npos);
    EXPECT_NE(read_text_of_redis("urls: [\"rediss://a\", \"redis://b\"], tls: {enabled: true}").report, "");
    EXPECT_EQ(read_text_of_redis("urls: \"rediss://redis\", tls: {enabled: true}").report, "");
}

TEST(RedisSettings, CredentialsInAUrlAreRefusedAndNotRepeated) {
    for (const auto* const url :
         {"redis://:hunter2@redis:6379/0", "redis://user:hunter2@redis", "hunter2@redis",
          "redis://redis?password=hunter2", "redis://redis/hunter2"}) {
        const auto report = read_text_of_redis(std::string{"urls: [\""} + url + "\"]").report;
        EXPECT_NE(report, "") << url;
        EXPECT_EQ(report.find("hunter2"), std::string::npos) << report;
    }
    EXPECT_NE(read_text_of_redis("urls: \"redis://:x@redis\"").report.find("redis.password"),
              std::string::npos);
}

TEST(RedisSettings, MalformedUrlsAreRefused) {
    for (const auto* const url :
         {"redis:6379", "http://redis", "redis://", "redis:///0", "redis://redis:0", "redis://redis:x",
          "redis://redis/-1", "redis://redis/0/1", "unix:///run/redis.sock", "REDIS://redis"}) {
        EXPECT_NE(read_text_of_redis(std::string{"urls: [\""} + url + "\"]").report, "") << url;
    }
}

TEST(RedisSettings, SeveralServersKeepTheirOrder) {
    const auto settings = read_text_of_redis("urls: [\"redis://b\", \"redis://a\"]").settings;
    ASSERT_EQ(settings.servers.size(), 2U);
    EXPECT_EQ(settings.servers[0].host, "b");
    EXPECT_EQ(settings.servers[1].host, "a");
}

TEST(RedisSettings, NoServerIsWarnedOf) {
    for (const auto* const text : {"", "urls: []"}) {
        const auto [settings, report, warnings] = read_text_of_redis(text);
        EXPECT_EQ(report, "");
        EXPECT_EQ(warnings.size(), 1U);
        EXPECT_TRUE(settings.servers.empty());
    }
}

TEST(RedisSettings, UserNeedsAPassword) {
    const TestFile password{"redis-password", "secret\n"};
    const auto secret = "password: {file: " + password.path() + "}";
    EXPECT_EQ(read_text_of_redis("urls: \"redis://a\", username: u, " + secret).report, "");
    EXPECT_EQ(read_text_of_redis("urls: \"redis://a\", " + secret).settings.password.now().bytes(), "secret");
    EXPECT_NE(read_text_of_redis("urls: \"redis://a\", username: u").report, "");
}

TEST(RedisSettings, TimesMustFitEachOther) {
    EXPECT_EQ(read_text_of_redis("urls: \"redis://a\", lease: 30s, ttl: 2m, answer_within: 50ms").report, "");
    EXPECT_NE(read_text_of_redis("urls: \"redis://a\", lease: 1h, ttl: 1h").report, "");
    EXPECT_NE(read_text_of_redis("urls: \"redis://a\", lease: 100ms, answer_within: 100ms").report, "");
    EXPECT_NE(read_text_of_redis("urls: \"redis://a\", answer_within: 2s").report, "");
}

}  // namespace
}  // namespace sluice::config
