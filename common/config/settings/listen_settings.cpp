#include <array>
#include <utility>

#include "common/config/scalar_text.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/host_port.hpp"
#include "common/config/settings/tls_settings.hpp"

namespace sluice::config {
namespace {

int read_threads(Section& listen) {
    constexpr int most_threads = 1'024;
    if (listen.text("threads", "auto") == "auto") return 0;
    return static_cast<int>(listen.integer("threads", 0, 1, most_threads));
}

void read_proxy(Section& listen, ListenSettings& settings) {
    auto proxy = listen.section("proxy");
    const auto mode = proxy.one_of("mode", {"none", "v2", "forwarded"}, "none");
    if (mode == "v2") settings.proxy = ListenSettings::Proxy::v2;
    if (mode == "forwarded") settings.proxy = ListenSettings::Proxy::forwarded;
    settings.trusted = proxy.texts("trusted");
    for (const auto& block : settings.trusted) {
        if (!is_address_block(block)) {
            proxy.problem_at("trusted",
                             "listen.proxy.trusted must list addresses or networks such as 10.0.0.0/8, not " +
                                 in_quotes(block));
        }
    }
    if (mode != "none" && settings.trusted.empty()) {
        proxy.problem("listen.proxy.trusted must name the proxies: otherwise anyone could claim any address");
    }
    if (mode == "none" && !settings.trusted.empty()) {
        proxy.warn("listen.proxy.trusted has no effect while listen.proxy.mode is none");
    }
}

void read_limits(Section& listen, ListenSettings& settings) {
    constexpr int most = 1'000'000;
    const auto read = [&](std::string_view key, int fallback, int least) {
        return static_cast<int>(listen.integer(key, fallback, least, most));
    };
    settings.max_connections = read("max_connections", settings.max_connections, 1);
    settings.max_connections_per_address =
        read("max_connections_per_address", settings.max_connections_per_address, 0);
    settings.max_requests_per_connection =
        read("max_requests_per_connection", settings.max_requests_per_connection, 1);
}

void read_clients(Section& listen, ListenSettings& settings) {
    auto limits = listen.section("limits");
    settings.clients = {.connections = metering::read_rate(limits, "connections"),
                        .requests = metering::read_rate(limits, "requests"),
                        .refused = metering::read_rate(limits, "refused"),
                        .strangers = metering::read_rate(limits, "strangers")};
    if (settings.clients.connections && settings.proxy == ListenSettings::Proxy::forwarded)
        limits.problem_at("connections",
                          "listen.limits.connections cannot be kept while listen.proxy.mode is forwarded: "
                          "connections are the proxy's, and nothing says whose a new one is");
}

ListenSettings read(Section listen, std::string_view address, TlsSide side) {
    constexpr Milliseconds longest_drain{3'600'000};
    ListenSettings settings;
    settings.address = read_listening_address(listen, "address", address);
    settings.threads = read_threads(listen);
    settings.tls = read_tls(listen, "tls", side);
    read_proxy(listen, settings);
    read_limits(listen, settings);
    if (side == TlsSide::server) read_clients(listen, settings);
    settings.idle = listen.duration("idle", settings.idle, Milliseconds{5'000}, Milliseconds{3'600'000});
    settings.drain_delay =
        listen.duration("drain_delay", settings.drain_delay, Milliseconds{0}, longest_drain);
    settings.drain_within =
        listen.duration("drain_within", settings.drain_within, Milliseconds{100}, longest_drain);
    return settings;
}

}  // namespace

ListenSettings read_listen(const Document& document, Problems&) {
    return read(document.section("listen"), "0.0.0.0:8080", TlsSide::server);
}

ListenSettings read_listen(Section listen, std::string_view address) {
    return read(std::move(listen), address, TlsSide::server_of_clients);
}

/// The program's own key, else the one for all, else a port that no other program takes: one file starts all
/// of them on one host.
OperationsSettings read_operations(const Document& document, OperationsOf program) {
    struct Own {
        OperationsOf program;
        std::string_view key;
        std::string_view fallback;
    };
    constexpr std::array<Own, 6> all{{{OperationsOf::ingress, "ingress", "0.0.0.0:9090"},
                                      {OperationsOf::consumer, "consumer", "0.0.0.0:9190"},
                                      {OperationsOf::retry, "retry", "0.0.0.0:9191"},
                                      {OperationsOf::relay, "relay", "0.0.0.0:9192"},
                                      {OperationsOf::poller, "poller", "0.0.0.0:9193"},
                                      {OperationsOf::command, "command", "0.0.0.0:9194"}}};
    auto operations = document.section("operations");
    const bool is_one_for_all = operations.has("address");
    const HostPort for_all = read_listening_address(operations, "address", all.front().fallback);
    OperationsSettings settings;
    for (const auto& [whose, key, fallback] : all) {
        const bool is_own = operations.has(key);
        const HostPort address = read_listening_address(operations, key, fallback);
        if (whose == program)
            settings = {"operations." + std::string{key}, is_one_for_all && !is_own ? for_all : address};
    }
    return settings;
}

}  // namespace sluice::config
