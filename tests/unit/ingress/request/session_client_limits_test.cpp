#include <gtest/gtest.h>

#include <set>

#include "ctl/send/signing/signer.hpp"
#include "ingress/connection/phases.hpp"
#include "ingress/request/session.hpp"
#include "tests/unit/ingress/support/running_server.hpp"

namespace sluice::ingress {
namespace {

using namespace std::chrono_literals;
using metering::Rate;
using Proxy = config::ListenSettings::Proxy;

constexpr Rate two_at_once{.every = 1s, .burst = 2};

config::ListenSettings with_limits(config::ClientLimits limits) {
    config::ListenSettings listen;
    listen.clients = limits;
    return listen;
}

bool is_accepted(Client& client) {
    return client.answer().starts_with("HTTP/1.1 200 ");
}

/// A request of the source under a signature that is wrong.
std::string forged_request() {
    return "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nStripe-Signature: t=1,v1=00\r\n"
           "Content-Length: 2\r\n\r\n{}";
}

const std::string told_to_wait =
    "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nRetry-After: 1\r\n\r\n";

TEST(ClientLimits, RequestsAboveTheRateAreToldToWaitAndOthersAreServed) {
    RunningServer running{"", with_limits({.requests = two_at_once})};
    Client client = running.connect("127.0.0.2");
    for (int i = 0; i < 2; ++i) {
        client.send(running.signed_request(event_body()));
        EXPECT_TRUE(is_accepted(client));
    }
    client.send(running.signed_request(event_body()));
    EXPECT_EQ(client.answer(), told_to_wait);
    EXPECT_EQ(running.decisions("limited"), 1);
    EXPECT_EQ(running.kafka->kept().size(), 2U);
    Client other = running.connect("127.0.0.3");
    other.send(running.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(other));
}

TEST(ClientLimits, AreOfTheClientAndNotOfItsConnection) {
    RunningServer running{"", with_limits({.requests = two_at_once})};
    for (const bool taken : {true, true, false}) {
        Client client = running.connect("127.0.0.2");
        client.send(running.signed_request(event_body()));
        EXPECT_EQ(is_accepted(client), taken);
    }
}

TEST(ClientLimits, WhatALimitedClientSendsNextIsReadWhenItMayGoOn) {
    RunningServer running{"", with_limits({.requests = two_at_once})};
    Client client = running.connect();
    const std::string one = running.signed_request(event_body());
    client.send(one + one + one + one);
    for (const bool taken : {true, true, false}) EXPECT_EQ(is_accepted(client), taken);
    for (int i = 0; i < 9; ++i) {
        running.pass(100ms);
        ASSERT_FALSE(client.has_news({})) << "the fourth was read while its client had to wait";
    }
    running.pass(200ms);
    EXPECT_TRUE(is_accepted(client));
}

TEST(ClientLimits, RestForASecondAtMost) {
    RunningServer running{"", with_limits({.requests = Rate{.every = 1h, .burst = 1}})};
    Client client = running.connect();
    const std::string one = running.signed_request(event_body());
    client.send(one + one + one);
    EXPECT_TRUE(is_accepted(client));
    EXPECT_TRUE(client.answer().contains("Retry-After: 3600\r\n"));
    EXPECT_LE(running.advance_until_news(client, 100ms), 1200ms);
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 429 "));
}

TEST(ClientLimits, BodyThatIsNotThereIsNotWaitedFor) {
    RunningServer running{"", with_limits({.requests = Rate{.every = 1h, .burst = 1}})};
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(client));
    client.send("POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{");
    running.pass(1100ms);
    EXPECT_EQ(client.answer(),
              "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nRetry-After: 3600\r\nConnection: "
              "close\r\n\r\n");
}

/// The usual source, and two whose signatures are of a public key.
webhook::SourceSet with_dear_ones() {
    ::setenv("SLUICE_UNIT_TEST_PUBLIC", "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=", 1);
    const std::string like =
        "recipe: standard-webhooks, order_by: [/id], keys: [{id: a, value: {env: SLUICE_UNIT_TEST_PUBLIC}}]";
    return test_sources("}\n  - {name: dear, principal: d, " + like +
                        "}\n  - {name: as-dear, principal: e, " + like);
}

/// The answer's status to a wrong signature, on a connection of its own.
std::string forge(const RunningServer& running, const std::string& from, const std::string& source = "dear") {
    Client client = running.connect(from);
    client.send("POST /v1/webhooks/" + source +
                " HTTP/1.1\r\nHost: x\r\nwebhook-id: a\r\nwebhook-timestamp: 1790000000\r\n"
                "webhook-signature: v1a,AAAA\r\nContent-Length: 2\r\n\r\n{}");
    return client.answer().substr(0, 12);
}

class DearChecks : public testing::Test {
protected:
    DearChecks() {
        running_.server->use_routes(
            std::make_shared<const Routes>(sources_, running_.metrics, running_.listen.clients));
    }
    webhook::SourceSet sources_ = with_dear_ones();
    RunningServer running_{"", with_limits({.refused = two_at_once})};
};

TEST_F(DearChecks, AreMadeForAClientSoOftenOnly) {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(forge(running_, "127.0.0.2"), "HTTP/1.1 400");
    EXPECT_EQ(forge(running_, "127.0.0.2"), "HTTP/1.1 429");
    EXPECT_EQ(forge(running_, "127.0.0.3"), "HTTP/1.1 400");
    running_.pass(1100ms);
    EXPECT_EQ(forge(running_, "127.0.0.2"), "HTTP/1.1 400") << "one more each second";
}

TEST_F(DearChecks, TakeNothingOfOtherSources) {
    for (int i = 0; i < 5; ++i) (void)forge(running_, "127.0.0.2");
    EXPECT_EQ(forge(running_, "127.0.0.2", "as-dear"), "HTTP/1.1 400");
    Client client = running_.connect("127.0.0.2");
    client.send(running_.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(client));
}

/// What is forged is told so each time; how long it took.
std::chrono::milliseconds forge_cheaply(RunningServer& running, Client& client) {
    client.send(forged_request());
    running.settle();
    const auto took = running.advance_until_news(client, 50ms);
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 400 "));
    return took;
}

TEST(CheapChecks, AreMadeEachTimeAndTheConnectionOfWhoForgesRests) {
    RunningServer running{"", with_limits({.refused = Rate{.every = 1h, .burst = 2}})};
    Client client = running.connect("127.0.0.2");
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(forge_cheaply(running, client), 0ms) << "the third is answered, and then it rests";
    for (int i = 0; i < 12; ++i) {
        const auto took = forge_cheaply(running, client);
        EXPECT_TRUE(took >= 500ms && took <= 1100ms) << took;
    }
    EXPECT_EQ(running.decisions("refused_signature"), 15);
    Client other = running.connect("127.0.0.3");
    EXPECT_EQ(forge_cheaply(running, other), 0ms);
    other.send(running.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(other));
}

TEST(CheapChecks, OfAllWhoForgeTogether) {
    RunningServer running{"", with_limits({.strangers = Rate{.every = 1h, .burst = 2}})};
    Client one = running.connect("127.0.0.2");
    Client other = running.connect("127.0.0.3");
    for (Client* client : {&one, &other, &one, &other}) EXPECT_EQ(forge_cheaply(running, *client), 0ms);
    EXPECT_GE(forge_cheaply(running, one), 500ms);
    Client genuine = running.connect("127.0.0.4");
    for (const auto* id : {"evt_1", "evt_2"}) {
        genuine.send(running.signed_request(event_body(id)));
        EXPECT_TRUE(is_accepted(genuine)) << "nobody who signs right waits for them";
    }
}

TEST(CheapChecks, DoNotBringAllWhoForgeBackTogether) {
    std::set<std::chrono::milliseconds> times;
    for (unsigned number = 0; number < 10; ++number) times.insert(connection::rest_of_forger(number));
    EXPECT_EQ(times.size(), 10U);
    EXPECT_GE(*times.begin(), 500ms);
    EXPECT_EQ(*times.rbegin(), connection::rest_at_most);
}

TEST(CheapChecks, TakeAtMostAQuarterOfAllConnections) {
    auto listen = with_limits({.refused = Rate{.every = 1h, .burst = 1}});
    listen.max_connections = 8;
    RunningServer running{"", listen};
    std::vector<Client> forgers;
    for (const bool rests : {true, true, false}) {
        Client& client = forgers.emplace_back(running.connect("127.0.0.2"));
        client.send(forged_request());
        std::string answer = client.answer();
        if (forgers.size() == 1) {  // within the limit
            client.send(forged_request());
            answer = client.answer();
        }
        EXPECT_EQ(!answer.contains("Connection: close"), rests) << forgers.size();
    }
}

class Strangers : public testing::Test {
protected:
    Strangers() {
        running_.server->use_routes(
            std::make_shared<const Routes>(sources_, running_.metrics, running_.listen.clients));
    }
    /// The status of an authentic request to `dear`, on a connection of its own.
    [[nodiscard]] std::string deliver(const std::string& from) const;

    webhook::SourceSet sources_ = with_dear_ones();
    RunningServer running_{"", with_limits({.strangers = two_at_once})};
};

std::string Strangers::deliver(const std::string& from) const {
    // RFC 8032 section 7.1, test 1: the key whose public half with_dear_ones has.
    const std::string pem =
        "-----BEGIN PRIVATE "
        "KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n-----END PRIVATE "
        "KEY-----\n";
    const auto& dear = sources_.at(1);
    ctl::OutgoingRequest request{.target = dear->path, .headers = {}, .body = event_body()};
    const auto key = ctl::SigningKey::from_pem(*dear, pem, "");
    ctl::Signer{dear, key.value()}.sign(request, running_.clock.wall()).value();
    std::string text = "POST " + dear->path + " HTTP/1.1\r\nHost: x\r\n";
    for (const auto& [name, value] : request.headers) text += name + ": " + value + "\r\n";
    Client client = running_.connect(from);
    client.send(text + "Content-Length: " + std::to_string(request.body.size()) + "\r\n\r\n" + request.body);
    return client.answer().substr(0, 12);
}

TEST_F(Strangers, WithManyAddressesAreOne) {
    EXPECT_EQ(forge(running_, "127.0.0.2"), "HTTP/1.1 400");
    EXPECT_EQ(forge(running_, "127.0.0.3"), "HTTP/1.1 400");
    EXPECT_EQ(forge(running_, "127.0.0.4"), "HTTP/1.1 429");
    EXPECT_EQ(forge(running_, "127.0.0.4", "as-dear"), "HTTP/1.1 400")
        << "another source has a share of its own";
    running_.pass(1100ms);
    EXPECT_EQ(forge(running_, "127.0.0.5"), "HTTP/1.1 400");
}

TEST_F(Strangers, AreThoseThatSentNothingAuthenticForAnHour) {
    EXPECT_EQ(deliver("127.0.0.9"), "HTTP/1.1 200");
    for (const auto* from : {"127.0.0.2", "127.0.0.3"}) EXPECT_EQ(forge(running_, from), "HTTP/1.1 400");
    EXPECT_EQ(deliver("127.0.0.8"), "HTTP/1.1 429");
    EXPECT_EQ(deliver("127.0.0.9"), "HTTP/1.1 200") << "it is known";
    EXPECT_EQ(forge(running_, "127.0.0.9"), "HTTP/1.1 400")
        << "and what it sends costs the strangers nothing";
    running_.pass(61min);
    for (const auto* from : {"127.0.0.2", "127.0.0.3"}) EXPECT_EQ(forge(running_, from), "HTTP/1.1 400");
    EXPECT_EQ(deliver("127.0.0.9"), "HTTP/1.1 429");
}

TEST(ClientLimits, OfASource) {
    RunningServer running{"limits: {client: {rate: 2/m, burst: 1}}"};
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(client));
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().contains("Retry-After: 30\r\n"));
}

TEST(ClientLimits, AreNotOfAProviderThatNeverSendsAgain) {
    RunningServer running{"",
                          with_limits({.requests = Rate{.every = 1h, .burst = 1}, .refused = two_at_once})};
    const auto sources = test_sources(
        "}\n  - {name: hooks, recipe: github, principal: g, keys: [{id: a, value: {env: "
        "SLUICE_UNIT_TEST_SECRET}}]");
    running.server->use_routes(
        std::make_shared<const Routes>(sources, running.metrics, running.listen.clients));
    Client client = running.connect();
    for (int i = 0; i < 4; ++i) {
        running.pass(i < 3 ? 0ms : 1100ms);
        client.send(
            "POST /v1/webhooks/hooks HTTP/1.1\r\nHost: x\r\nX-GitHub-Event: push\r\nX-Hub-Signature-256: "
            "sha256=00\r\nContent-Length: 2\r\n\r\n{}");
        EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 400 "));
    }
}

TEST(ClientLimits, StayOverAReload) {
    RunningServer running{"limits: {client: {rate: 2/m, burst: 1}}"};
    Client client = running.connect();
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(client));
    running.server->use_routes(std::make_shared<const Routes>(running.sources, running.metrics));
    client.send(running.signed_request(event_body()));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 429 "));
}

TEST(ClientLimits, OfNewConnections) {
    RunningServer running{"", with_limits({.connections = two_at_once})};
    for (const bool taken : {true, true, false}) {
        Client client = running.connect("127.0.0.2");
        client.send(running.signed_request(event_body()));
        EXPECT_EQ(is_accepted(client), taken);
    }
    EXPECT_EQ(running.gate_refusals("too_many_new_connections"), 1);
    Client other = running.connect("127.0.0.3");
    other.send(running.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(other));
}

TEST(ClientLimits, BehindAProxyAreThoseOfTheClientsThatItNames) {
    auto listen = with_limits({.requests = Rate{.every = 1h, .burst = 1}});
    listen.proxy = Proxy::forwarded;
    listen.trusted = {"127.0.0.0/8"};
    RunningServer running{"", listen};
    Client proxy = running.connect();
    for (const auto& [client, taken] :
         {std::pair{"192.0.2.1", true}, {"192.0.2.1", false}, {"192.0.2.2", true}}) {
        proxy.send(running.signed_request(event_body(), std::format("X-Forwarded-For: {}\r\n", client)));
        EXPECT_EQ(is_accepted(proxy), taken)
            << client << ": nobody waits for another one behind the same proxy";
    }
}

TEST(ClientLimits, RestingConnectionEndsWithTheDrain) {
    RunningServer running{"", with_limits({.requests = Rate{.every = 1h, .burst = 1}})};
    Client client = running.connect();
    const std::string one = running.signed_request(event_body());
    client.send(one + one);
    EXPECT_TRUE(is_accepted(client));
    EXPECT_TRUE(client.answer().starts_with("HTTP/1.1 429 "));
    running.server->stop_accepting();
    running.pass(1100ms);
    EXPECT_EQ(client.rest(), "");
}

TEST(AllowedClients, AreServedAndOthersLearnNothing) {
    RunningServer running{"allow: [127.0.0.2, 192.0.2.0/24]"};
    Client listed = running.connect("127.0.0.2");
    listed.send(running.signed_request(event_body()));
    EXPECT_TRUE(is_accepted(listed));
    Client other = running.connect("127.0.0.3");
    other.send(running.signed_request(event_body()));
    EXPECT_EQ(other.answer(), "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(running.gate_refusals("client_not_allowed"), 1);
}

}  // namespace
}  // namespace sluice::ingress
