#include <array>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "common/config/settings/connections.hpp"
#include "tests/unit/common/config/reading.hpp"

namespace sluice::config {
namespace {

using namespace std::chrono_literals;
using Proxy = ListenSettings::Proxy;

struct ListenRead {
    ListenSettings settings;
    std::string report;
    std::vector<std::string> warnings;
};

ListenRead read_text_of_listen(const std::string& listen) {
    Reading reading{"listen: {" + listen + "}\n"};
    auto settings = read_listen(reading.document(), reading.problems());
    return {std::move(settings), reading.report(), reading.problems().warnings()};
}

TEST(ListenSettings, DefaultsAreTheDesigns) {
    const auto [settings, report, warnings] = read_text_of_listen("");
    EXPECT_EQ(report, "");
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(settings.address.host, "0.0.0.0");
    EXPECT_EQ(settings.address.port, 8080);
    EXPECT_EQ(settings.threads, 0);
    EXPECT_FALSE(settings.tls.enabled);
    EXPECT_EQ(settings.proxy, Proxy::none);
    EXPECT_EQ(settings.max_connections, 20'000);
    EXPECT_EQ(settings.max_connections_per_address, 0);
    EXPECT_EQ(settings.max_requests_per_connection, 10'000);
    EXPECT_EQ(settings.idle, 30s);
    EXPECT_EQ(settings.drain_delay, 5s);
    EXPECT_EQ(settings.drain_within, 25s);
}

TEST(ListenSettings, ReadsEachKey) {
    const auto [settings, report, warnings] = read_text_of_listen(
        "address: \"[::1]:81\", threads: 3, max_connections: 7, max_connections_per_address: 8, "
        "max_requests_per_connection: 9, idle: 11m, drain_delay: 0s, drain_within: 2s");
    EXPECT_EQ(report, "");
    EXPECT_EQ(settings.address.host, "::1");
    EXPECT_EQ(settings.address.port, 81);
    EXPECT_EQ(settings.threads, 3);
    EXPECT_EQ(settings.max_connections, 7);
    EXPECT_EQ(settings.max_connections_per_address, 8);
    EXPECT_EQ(settings.max_requests_per_connection, 9);
    EXPECT_EQ(settings.idle, 11min);
    EXPECT_EQ(settings.drain_delay, 0s);
    EXPECT_EQ(settings.drain_within, 2s);
}

TEST(ListenSettings, IdleConnectionsHaveBounds) {
    for (const auto* const good : {"5s", "90s", "1h"})
        EXPECT_EQ(read_text_of_listen(std::string{"idle: "} + good).report, "") << good;
    for (const auto* const bad : {"4999ms", "61m", "0s", "30", "never"})
        EXPECT_NE(read_text_of_listen(std::string{"idle: "} + bad).report, "") << bad;
}

TEST(ListenSettings, ClientsHaveNoLimitsUnlessTheyAreGiven) {
    const auto none = read_text_of_listen("").settings.clients;
    EXPECT_FALSE(none.connections || none.requests || none.refused);
    const auto [settings, report, warnings] = read_text_of_listen(
        "limits: {connections: {rate: 50/s, burst: 200}, requests: {rate: 600/m}, refused: {rate: 1/h}, "
        "strangers: {rate: 500/s}}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(settings.clients.connections, (metering::Rate{.every = 20ms, .burst = 200}));
    EXPECT_EQ(settings.clients.requests, (metering::Rate{.every = 100ms, .burst = 600}));
    EXPECT_EQ(settings.clients.refused, (metering::Rate{.every = 1h, .burst = 1}));
    EXPECT_EQ(settings.clients.strangers, (metering::Rate{.every = 2ms, .burst = 500}));
}

TEST(ListenSettings, WrongLimitsAreNamed) {
    EXPECT_TRUE(read_text_of_listen("limits: {requests: {rate: fast}}")
                    .report.contains("listen.limits.requests.rate"));
    EXPECT_TRUE(read_text_of_listen("limits: {refused: {burst: 3}}").report.contains("rate"));
    EXPECT_TRUE(read_text_of_listen(
                    "proxy: {mode: forwarded, trusted: [10.0.0.1]}, limits: {connections: {rate: 1/s}}")
                    .report.contains("connections are the proxy's"));
    EXPECT_TRUE(read_text_of_listen("limits: {clients: {rate: 1/s}}").report.contains("clients"));
}

TEST(ListenSettings, ThreadsAreAutoOrANumber) {
    EXPECT_EQ(read_text_of_listen("threads: auto").settings.threads, 0);
    for (const auto* const text : {"threads: 0", "threads: many", "threads: -1"})
        EXPECT_NE(read_text_of_listen(text).report, "") << text;
}

TEST(ListenSettings, ProxiesMustBeNamed) {
    const auto v2 = read_text_of_listen("proxy: {mode: v2, trusted: [10.0.0.0/8, \"::1\"]}");
    EXPECT_EQ(v2.report, "");
    EXPECT_EQ(v2.settings.proxy, Proxy::v2);
    EXPECT_EQ(v2.settings.trusted, (std::vector<std::string>{"10.0.0.0/8", "::1"}));
    EXPECT_EQ(read_text_of_listen("proxy: {mode: forwarded, trusted: 10.0.0.1}").settings.proxy,
              Proxy::forwarded);
    EXPECT_NE(read_text_of_listen("proxy: {mode: v2}").report, "");
    EXPECT_NE(read_text_of_listen("proxy: {mode: forwarded, trusted: []}").report, "");
    EXPECT_NE(read_text_of_listen("proxy: {mode: v2, trusted: [10.0.0.1/8]}").report, "");
    EXPECT_NE(read_text_of_listen("proxy: {mode: v1, trusted: [10.0.0.1]}").report, "");
}

TEST(ListenSettings, TrustWithoutAModeIsWarnedOf) {
    const auto [settings, report, warnings] = read_text_of_listen("proxy: {mode: none, trusted: [10.0.0.1]}");
    EXPECT_EQ(report, "");
    EXPECT_EQ(warnings.size(), 1U);
}

TEST(ListenSettings, TlsNeedsCertificateAndKey) {
    EXPECT_NE(read_text_of_listen("tls: {enabled: true}").report, "");
    const TestFile cert{"cert.pem", "x"};
    const TestFile key{"key.pem", "x"};
    const auto tls =
        read_text_of_listen("tls: {cert: {file: " + cert.path() + "}, key: {file: " + key.path() + "}}");
    EXPECT_EQ(tls.report, "");
    EXPECT_TRUE(tls.settings.tls.enabled);
}

constexpr std::array all_programs{OperationsOf::ingress, OperationsOf::consumer, OperationsOf::retry,
                                  OperationsOf::relay,   OperationsOf::poller,   OperationsOf::command};

TEST(OperationsSettings, HasAnAddressOfItsOwn) {
    Reading reading{"operations: {address: \"127.0.0.1:0\"}\n"};
    for (const auto program : all_programs) {
        const auto [key, address] = read_operations(reading.document(), program);
        EXPECT_EQ(address.host, "127.0.0.1");
        EXPECT_EQ(address.port, 0);
    }
    EXPECT_EQ(reading.report(), "");
}

TEST(OperationsSettings, OneFileStartsAllProgramsOnOneHost) {
    Reading nothing{"kafka: {}\n"};
    std::set<std::uint16_t> ports;
    std::set<std::string> keys;
    for (const auto program : all_programs) {
        const auto [key, address] = read_operations(nothing.document(), program);
        keys.insert(key);
        ports.insert(address.port);
    }
    EXPECT_EQ(ports, (std::set<std::uint16_t>{9090, 9190, 9191, 9192, 9193, 9194}));
    EXPECT_EQ(keys, (std::set<std::string>{"operations.ingress", "operations.consumer", "operations.retry",
                                           "operations.relay", "operations.poller", "operations.command"}));
    EXPECT_EQ(nothing.report(), "");
}

TEST(OperationsSettings, AProgramsOwnAddressWinsOverTheOneForAll) {
    Reading reading{"operations: {address: \"127.0.0.1:1\", consumer: \"127.0.0.1:2\"}\n"};
    const auto port_of = [&](OperationsOf program) {
        return read_operations(reading.document(), program).address.port;
    };
    EXPECT_EQ(port_of(OperationsOf::ingress), 1);
    EXPECT_EQ(port_of(OperationsOf::consumer), 2);
    EXPECT_EQ(port_of(OperationsOf::retry), 1);
    EXPECT_EQ(reading.report(), "");
}

TEST(OperationsSettings, EveryProgramRefusesAWrongAddressOfAnother) {
    for (const auto program : all_programs) {
        Reading reading{"operations: {retry: \"localhost:9191\"}\n"};
        (void)read_operations(reading.document(), program);
        EXPECT_TRUE(reading.report().contains("operations.retry must be ADDRESS:PORT")) << reading.report();
    }
}

}  // namespace
}  // namespace sluice::config
