#include <gtest/gtest.h>

#include "tests/unit/ingress/support/running_server.hpp"

namespace sluice::ingress {
namespace {

using namespace std::chrono_literals;

/// The gauges follow with the server's own timer.
void expect_becomes(const RunningServer& running, const Gauge& gauge, double value) {
    const auto end = std::chrono::steady_clock::now() + 10s;
    while (gauge.Value() != value && std::chrono::steady_clock::now() < end) running.settle();
    EXPECT_EQ(gauge.Value(), value);
}

TEST(ServerGauges, SayHowManyConnectionsAndRequestsAreOpen) {
    RunningServer running;
    const Gauge& connections = running.metrics.gauge("sluice_ingress_connections", "");
    const Gauge& requests = running.metrics.gauge("sluice_ingress_requests_in_flight", "");
    {
        const Client idle = running.connect();
        Client busy = running.connect();
        busy.send("POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: ");
        expect_becomes(running, connections, 2);
        expect_becomes(running, requests, 1);
        busy.send("x\r\n\r\n");
        EXPECT_NE(busy.answer(), "");
        expect_becomes(running, requests, 0);
    }
    expect_becomes(running, connections, 0);
}

}  // namespace
}  // namespace sluice::ingress
