#include <gtest/gtest.h>

#include <vector>

#include "ingress/request/session.hpp"
#include "tests/unit/ingress/support/running_server.hpp"

namespace sluice::ingress {
namespace {

const std::string another_source =
    "}\n  - {name: stripe-us, recipe: stripe, principal: acct_us, keys: [{id: k1, value: {env: "
    "SLUICE_UNIT_TEST_SECRET}}]";

config::ListenSettings with_connections(int most) {
    config::ListenSettings listen;
    listen.max_connections = most;
    return listen;
}

std::string head_of_a_slow_body(const std::string& source) {
    return "POST /v1/webhooks/" + source + " HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n";
}

/// Of a source whose connections are all busy, and of whoever still may come.
class ShareTest : public testing::Test {
protected:
    void make_busy(RunningServer& running, int connections, const std::string& source) {
        for (int i = 0; i < connections; ++i) {
            slow_.push_back(running.connect());
            slow_.back().send(head_of_a_slow_body(source));
        }
        running.settle();
    }

    std::vector<Client> slow_;
};

TEST_F(ShareTest, AFloodOfOneSourceLeavesTheOthersTheirConnections) {
    RunningServer running{another_source, with_connections(12)};
    make_busy(running, 6, "stripe-us");
    Client more = running.connect();
    more.send(head_of_a_slow_body("stripe-us"));
    EXPECT_TRUE(more.answer().starts_with("HTTP/1.1 429 "));
    EXPECT_EQ(more.rest(), "") << "its body is unread";
    Client other = running.connect();
    other.send(running.signed_request(event_body()));
    EXPECT_TRUE(other.answer().starts_with("HTTP/1.1 200 "));
}

TEST_F(ShareTest, APlaceIsGivenBackWithTheAnswer) {
    RunningServer running{another_source, with_connections(4)};
    Client client = running.connect();
    for (int i = 0; i < 10; ++i) {
        client.send(running.signed_request(event_body()));
        EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 ")) << i;
    }
}

TEST_F(ShareTest, APlaceIsGivenBackWithTheConnection) {
    RunningServer running{another_source, with_connections(4)};
    for (int i = 0; i < 10; ++i) {
        make_busy(running, 1, "stripe-eu");
        slow_.clear();
        running.settle();
    }
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 "));
}

TEST_F(ShareTest, ARequestOutlivesTheRoutesThatItBeganWith) {
    RunningServer running{another_source, with_connections(4)};
    make_busy(running, 1, "stripe-eu");
    running.server->use_routes(
        std::make_shared<const Routes>(running.sources, running.metrics, running.listen.clients, 4));
    running.settle();
    slow_.back().send(std::string(500, 'x'));
    EXPECT_TRUE(slow_.back().answer().starts_with("HTTP/1.1 400 "));
    slow_.back().send(running.signed_request(event_body()));
    EXPECT_TRUE(slow_.back().answer().starts_with("HTTP/1.1 200 "));
}

TEST_F(ShareTest, TheOnlySourceHasAll) {
    RunningServer running{"", with_connections(4)};
    make_busy(running, 3, "stripe-eu");
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 200 "));
}

TEST_F(ShareTest, WhereConnectionsAreScarceNoneIsKeptWithoutARequest) {
    RunningServer running{"", with_connections(8)};
    Client kept = running.connect();
    kept.send(running.signed_request(event_body()));
    EXPECT_FALSE(kept.answer().contains("Connection: close"));
    make_busy(running, 6, "stripe-eu");
    kept.send(running.signed_request(event_body()));
    EXPECT_TRUE(kept.answer().contains("Connection: close"));
}

}  // namespace
}  // namespace sluice::ingress
