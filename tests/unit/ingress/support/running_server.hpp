#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "ingress/connection/server_tls.hpp"
#include "ingress/server.hpp"
#include "tests/unit/ingress/support/client.hpp"
#include "tests/unit/ingress/support/fakes.hpp"
#include "tests/unit/ingress/support/test_sources.hpp"

namespace sluice::ingress {

/// The real request path on a loopback port, with one thread; Kafka, Redis and the time are the test's.
class RunningServer {
public:
    explicit RunningServer(const std::string& source_settings = "", config::ListenSettings listen = {},
                           const std::shared_ptr<asio::ssl::context>& tls = nullptr);

    [[nodiscard]] Client connect(const std::string& from = "127.0.0.1") const {
        return Client{server->port(), from};
    }
    /// A whole signed request for the source.
    [[nodiscard]] std::string signed_request(const std::string& body,
                                             const std::string& more_fields = "") const;
    /// Until the server has done all that the bytes sent so far let it do.
    void settle() const;
    /// Moves the time, and the server notices: what had to happen by then has happened, and nothing that was
    /// done before counts as late.
    void pass(std::chrono::milliseconds time);
    /// Passes time until the client has news; how much it took.
    template <class AnyClient>
    std::chrono::milliseconds advance_until_news(
        AnyClient& client, std::chrono::milliseconds step, const std::function<void()>& before_each = [] {}) {
        std::chrono::milliseconds passed{0};
        while (!client.has_news({}) && passed < std::chrono::minutes{1}) {
            before_each();
            pass(step);
            passed += step;
        }
        return passed;
    }
    [[nodiscard]] double decisions(const std::string& decision);
    [[nodiscard]] double gate_refusals(const std::string& reason);

    config::ListenSettings listen;
    FakeClock clock;
    FakeKafka* kafka = nullptr;
    FakeRedis* redis = nullptr;
    webhook::SourceSet sources;
    Metrics metrics;
    Log log;
    DecisionCounters counters;
    trace::Tracer tracer;  // off
    RequestSpans spans;
    connection::Limits limits;
    ClientMeters clients;
    DeliveryWatch deliveries;
    Common common;
    std::unique_ptr<Server> server;
};

/// A Stripe event that can be read.
[[nodiscard]] std::string event_body(const std::string& id = "evt_1");

}  // namespace sluice::ingress
