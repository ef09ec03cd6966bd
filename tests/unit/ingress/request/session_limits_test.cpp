#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vector>

#include "ingress/request/session.hpp"
#include "tests/unit/ingress/support/running_server.hpp"

namespace sluice::ingress {
namespace {

using namespace std::chrono_literals;

const std::string accepted = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\n\r\n";
const std::string timeout = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const std::string half_a_head = "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: ";
const std::string head_of_long_body =
    "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nStripe-Signature: t=1,v1=0\r\nContent-Length: "
    "100000\r\n\r\n";

TEST(Phases, TrickledHeadEndsAtItsDeadline) {
    RunningServer running;
    Client client = running.connect();
    client.send(half_a_head);
    const auto took = running.advance_until_news(client, 500ms, [&] { client.send("a"); });
    EXPECT_EQ(client.answer(), timeout);
    EXPECT_GE(took, 5s);
    EXPECT_LE(took, 7s) << "a byte now and then renewed the deadline";
    EXPECT_EQ(client.rest(), "");
}

TEST(Phases, TrickledBodyEndsAtItsDeadline) {
    RunningServer running;
    Client client = running.connect();
    client.send(head_of_long_body);
    const auto took = running.advance_until_news(client, 1s, [&] { client.send("a"); });
    EXPECT_EQ(client.answer(), timeout);
    EXPECT_GE(took, 10s);
    EXPECT_LE(took, 13s);
}

TEST(Phases, TrickledChunksEndAtTheirDeadline) {
    RunningServer running{"chunked: true"};
    Client client = running.connect();
    client.send(
        "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n");
    const auto took = running.advance_until_news(client, 1s, [&] { client.send("a"); });
    EXPECT_EQ(client.answer(), timeout);
    EXPECT_GE(took, 10s);
    EXPECT_LE(took, 13s);
}

/// Whether the server lets go of a refused peer that sends `bytes` and stays. Another's requests show that
/// it had the time to.
bool is_let_go(RunningServer& running, const std::string& bytes, std::chrono::milliseconds step) {
    Client other = running.connect();
    Client refused = running.connect();
    refused.send("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(refused.answer().starts_with("HTTP/1.1 404 "));
    for (int i = 0; i < 20 && running.limits.open() > 1; ++i) {
        refused.send(bytes);
        running.pass(step);
        EXPECT_FALSE(other.has_news({}));
        other.send(running.signed_request(event_body()));
        EXPECT_EQ(other.answer(), accepted);
    }
    return running.limits.open() == 1;
}

TEST(Phases, RefusedPeerThatTricklesOnIsLetGo) {
    RunningServer running;
    EXPECT_TRUE(is_let_go(running, "a", 300ms)) << "each byte renewed its deadline";
}

TEST(Phases, RefusedPeerThatFloodsIsLetGo) {
    RunningServer running;
    EXPECT_TRUE(is_let_go(running, std::string(131'072, 'a'), 0ms)) << "all that it sends is read";
}

TEST(Phases, ShortBodyHasAsMuchTimeAsAnyOther) {
    RunningServer running;
    Client client = running.connect();
    client.send("POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n");
    const auto took = running.advance_until_news(client, 1s, [&] { client.send("a"); });
    EXPECT_EQ(client.answer(), timeout);
    EXPECT_GE(took, 10s);
    EXPECT_LE(took, 13s);
}

TEST(Phases, TimeForTheAnswerBeginsWithTheLastByteOfTheBody) {
    RunningServer running{"answer_within: 3s"};
    Client client = running.connect();
    const std::string bytes = running.signed_request(event_body(), "Expect: 100-continue\r\n");
    const std::size_t head = bytes.find("\r\n\r\n") + 4;
    client.send(std::string_view{bytes}.substr(0, head));
    ASSERT_EQ(client.answer(), "HTTP/1.1 100 Continue\r\n\r\n");
    running.pass(8s);
    client.send(std::string_view{bytes}.substr(head));
    EXPECT_EQ(client.answer(), accepted);
    EXPECT_EQ(running.kafka->kept().at(0).answer_by, running.clock.steady() + 3s);
}

TEST(Phases, IdleConnectionEndsWithoutAWord) {
    RunningServer running;
    Client client = running.connect();
    const auto took = running.advance_until_news(client, 2s);
    EXPECT_EQ(client.rest(), "");
    EXPECT_GE(took, 30s);
    EXPECT_LE(took, 36s);
}

TEST(Phases, IdleConnectionEndsWhenTheConfigurationSaysSo) {
    config::ListenSettings listen;
    listen.idle = 10s;
    RunningServer running{"", listen};
    Client fresh = running.connect();
    EXPECT_LE(running.advance_until_news(fresh, 2s), 16s);
    EXPECT_EQ(fresh.rest(), "");
    Client used = running.connect();
    used.send(running.signed_request(event_body()));
    ASSERT_EQ(used.answer(), accepted);
    const auto took = running.advance_until_news(used, 2s);
    EXPECT_EQ(used.rest(), "");
    EXPECT_GE(took, 10s);
    EXPECT_LE(took, 18s);
}

TEST(Phases, IdleConnectionMayStayForLong) {
    config::ListenSettings listen;
    listen.idle = 11min;
    RunningServer running{"", listen};
    Client client = running.connect();
    for (int minute = 0; minute < 3; ++minute) {
        client.send(running.signed_request(event_body()));
        ASSERT_EQ(client.answer(), accepted);
        for (int step = 0; step < 2; ++step) {
            running.pass(5min);
            ASSERT_FALSE(client.has_news({}));
        }
    }
}

TEST(Phases, IdleConnectionThatWasUsedServesAgainAndEndsAtLast) {
    RunningServer running;
    Client client = running.connect();
    for (int i = 0; i < 3; ++i) {
        client.send(running.signed_request(event_body()));
        ASSERT_EQ(client.answer(), accepted);
        for (int step = 0; step < 4; ++step) {  // long enough for its buffer to be given back
            running.pass(5s);
            ASSERT_FALSE(client.has_news({}));
        }
    }
    const auto took = running.advance_until_news(client, 2s);
    EXPECT_EQ(client.rest(), "");
    EXPECT_LE(took, 36s);
}

TEST(Phases, DeadlineOfOnePhaseDoesNotReachIntoTheNext) {
    RunningServer running;
    Client client = running.connect();
    const std::string bytes = running.signed_request(event_body());
    client.send(std::string_view{bytes}.substr(0, 20));
    for (int i = 0; i < 4; ++i) {
        running.pass(1s);
        ASSERT_FALSE(client.has_news({}));
    }
    client.send(std::string_view{bytes}.substr(20));
    EXPECT_EQ(client.answer(), accepted);
    running.pass(10s);
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), accepted);
}

config::ListenSettings limited(int in_all, int per_address, int requests) {
    config::ListenSettings listen;
    listen.max_connections = in_all;
    listen.max_connections_per_address = per_address;
    listen.max_requests_per_connection = requests;
    return listen;
}

TEST(Limits, ConnectionTooManyIsToldSo) {
    RunningServer running{"", limited(2, 0, 100)};
    std::vector<Client> held;
    for (int i = 0; i < 2; ++i) {
        held.push_back(running.connect());
        held.back().send(running.signed_request(event_body()));
        ASSERT_EQ(held.back().answer(), accepted);
    }
    Client third = running.connect();
    EXPECT_TRUE(third.answer().starts_with("HTTP/1.1 503 "));
    EXPECT_EQ(third.rest(), "");
    held[0].send(running.signed_request(event_body()));
    EXPECT_EQ(held[0].answer(), accepted) << "the others are not disturbed";
}

TEST(Limits, AddressWithTooManyIsTurnedAwayAndOthersAreNot) {
    RunningServer running{"", limited(100, 1, 100)};
    Client first = running.connect("127.0.0.2");
    first.send(running.signed_request(event_body()));
    ASSERT_EQ(first.answer(), accepted);
    Client second = running.connect("127.0.0.2");
    EXPECT_EQ(second.rest(), "");
    Client other = running.connect("127.0.0.3");
    other.send(running.signed_request(event_body()));
    EXPECT_EQ(other.answer(), accepted);
}

TEST(Limits, LastRequestOfAConnectionSaysSo) {
    RunningServer running{"", limited(100, 0, 2)};
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), accepted);
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().contains("Connection: close"));
    EXPECT_EQ(client.rest(), "");
}

/// Leaves this process one free descriptor, as long as it lives.
class OneDescriptorLeft {
public:
    OneDescriptorLeft() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const int next = ::dup(0);
        ::close(next);
        const rlimit tight{static_cast<rlim_t>(next) + 1, before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &tight);
    }
    ~OneDescriptorLeft() { ::setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

TEST(Limits, WithoutDescriptorsClientsAreRefusedAndServiceComesBack) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer itself needs descriptors";
#endif
    RunningServer running;
    Client first = running.connect();
    first.send(running.signed_request(event_body()));
    ASSERT_EQ(first.answer(), accepted);  // the server has opened all that it needs
    {
        const OneDescriptorLeft scarcity;
        Client refused = running.connect();
        EXPECT_EQ(refused.rest(), "") << "it must not be left waiting";
    }
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), accepted);
}

TEST(Limits, PeerThatGoesAwayGivesItsPlaceBack) {
    RunningServer running{"", limited(1, 0, 100)};
    const std::string bytes = running.signed_request(event_body());
    for (const std::size_t cut : {std::size_t{0}, std::size_t{3}, bytes.size() - 10, bytes.size()}) {
        std::string answer;
        while (!answer.starts_with("HTTP/1.1 200")) {  // until the one before has left
            Client whole = running.connect();
            whole.send(bytes);
            answer = whole.answer();
        }
        try {
            running.connect().send(std::string_view{bytes}.substr(0, cut));
        } catch (const std::runtime_error&) {
            FAIL() << "the listener is gone";
        }
    }
}

config::ListenSettings behind_proxy(config::ListenSettings::Proxy mode, const std::string& trusted) {
    config::ListenSettings listen;
    listen.proxy = mode;
    listen.trusted = {trusted};
    listen.max_connections_per_address = 1;
    return listen;
}

using Proxy = config::ListenSettings::Proxy;

std::string introduction(char last_octet) {
    using namespace std::string_literals;
    return "\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c"s + "\xc0\x00\x02"s + last_octet +
           "\x0a\x00\x00\x01\x12\x34\x00\x50"s;
}

TEST(ProxyProtocol, ClientIsTheOneThatTheProxyNames) {
    RunningServer running{"", behind_proxy(Proxy::v2, "127.0.0.0/8")};
    Client first = running.connect();
    first.send(introduction('\x07') + running.signed_request(event_body()));
    EXPECT_EQ(first.answer(), accepted);
    Client same = running.connect();
    same.send(introduction('\x07') + running.signed_request(event_body()));
    EXPECT_EQ(same.rest(), "") << "the limit is the client's";
    Client other = running.connect();
    other.send(introduction('\x08') + running.signed_request(event_body()));
    EXPECT_EQ(other.answer(), accepted);
}

TEST(ProxyProtocol, NobodyElseMayIntroduceAClient) {
    RunningServer running{"", behind_proxy(Proxy::v2, "10.0.0.0/8")};
    Client client = running.connect();
    client.send(introduction('\x07') + running.signed_request(event_body()));
    EXPECT_EQ(client.rest(), "");
}

TEST(ProxyProtocol, ConnectionWithoutIntroductionIsClosed) {
    RunningServer running{"", behind_proxy(Proxy::v2, "127.0.0.0/8")};
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.rest(), "");
    EXPECT_TRUE(running.kafka->kept().empty());
}

TEST(ProxyProtocol, TrickledIntroductionEndsAtItsDeadline) {
    RunningServer running{"", behind_proxy(Proxy::v2, "127.0.0.0/8")};
    Client client = running.connect();
    const std::string bytes = introduction('\x07');
    std::size_t sent = 0;
    const auto took = running.advance_until_news(client, 500ms, [&] {
        if (sent + 1 < bytes.size()) client.send(std::string_view{bytes}.substr(sent++, 1));
    });
    EXPECT_EQ(client.rest(), "");
    EXPECT_GE(took, 5s);
    EXPECT_LE(took, 7s);
}

TEST(Forwarded, ProxysConnectionsAreNotLimitedByItsAddress) {
    RunningServer running{"", behind_proxy(Proxy::forwarded, "127.0.0.0/8")};
    Client first = running.connect();
    Client second = running.connect();
    for (Client* client : {&first, &second}) {
        client->send(running.signed_request(event_body(), "X-Forwarded-For: 192.0.2.1\r\n"));
        EXPECT_EQ(client->answer(), accepted);
    }
}

TEST(Draining, RequestInHandIsFinishedAndIdleConnectionsEnd) {
    RunningServer running;
    Client idle = running.connect();
    Client busy = running.connect();
    const std::string bytes = running.signed_request(event_body());
    busy.send(std::string_view{bytes}.substr(0, 30));
    idle.send(bytes);
    ASSERT_EQ(idle.answer(), accepted);
    running.server->stop_accepting();
    EXPECT_EQ(idle.rest(), "");
    EXPECT_THROW(static_cast<void>(running.connect()), std::runtime_error);
    busy.send(std::string_view{bytes}.substr(30));
    EXPECT_EQ(
        busy.answer(),
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(busy.rest(), "");
}

TEST(Draining, ConnectionThatNobodyHasLookedAtYetCountsAsOpen) {
    RunningServer running;
    Client early = running.connect();  // the kernel has it, the shard perhaps not
    const std::string bytes = running.signed_request(event_body());
    early.send(std::string_view{bytes}.substr(0, 30));
    early.wait_for_receipt();
    running.server->stop_accepting();
    EXPECT_EQ(running.server->open_connections(), 1);
    early.send(std::string_view{bytes}.substr(30));
    EXPECT_EQ(
        early.answer(),
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\nConnection: close\r\n\r\n");
}

TEST(Draining, CutEndsWhatIsLeft) {
    RunningServer running;
    Client busy = running.connect();
    busy.send(running.signed_request(event_body()));
    ASSERT_EQ(busy.answer(), accepted);
    busy.send(half_a_head);
    running.server->stop_accepting();
    running.server->cut_connections();
    EXPECT_EQ(busy.rest(), "");
}

TEST(RoutesSwap, NewRoutesAreUsedByTheNextRequest) {
    RunningServer running;
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    ASSERT_EQ(client.answer(), accepted);
    running.server->use_routes(std::make_shared<const Routes>(webhook::SourceSet{}, running.metrics));
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 404 "));
}

}  // namespace
}  // namespace sluice::ingress
