#include "poller/fetch/get.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "tests/unit/ingress/support/test_certificate.hpp"
#include "tests/unit/poller/fetch/scripted_server.hpp"

namespace sluice::poller {
namespace {

using namespace std::chrono_literals;
using Reply = ScriptedServer::Reply;
using Why = NoAnswer::Why;

constexpr std::string_view canary = "sk_live_canary";

ApiRequest request_for(const std::string& target = "/v1/events?limit=100") {
    ApiRequest request{.target = target, .headers = {}};
    request.headers.emplace_back("Authorization", Secret{"Bearer " + std::string{canary}});
    return request;
}

/// A variable of the environment, as long as a test runs.
class Variable {
public:
    Variable(const char* name, const std::string& value) : name_{name} { ::setenv(name, value.c_str(), 1); }
    ~Variable() { ::unsetenv(name_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    const char* name_;
};

class GetTest : public testing::Test {
protected:
    /// Of a server that answers like this, without TLS.
    std::expected<Answer, NoAnswer> ask(const Reply& reply) {
        server = std::make_unique<ScriptedServer>([reply](const std::string&) { return reply; });
        api.url = "http://" + server->authority();
        return Get{api}.ask(request_for());
    }

    void expect_no_answer(Why why, const std::expected<Answer, NoAnswer>& answer,
                          std::string_view words = "") {
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().why, why) << answer.error().reason;
        EXPECT_NE(answer.error().reason, "");
        EXPECT_TRUE(answer.error().reason.contains(words)) << answer.error().reason;
        EXPECT_FALSE(answer.error().reason.contains(canary));
    }

    std::unique_ptr<ScriptedServer> server;
    Api api{.url = "",
            .allowed = {network::Block::parse("127.0.0.0/8").value()},
            .ca_file = "",
            .proxy = "",
            .timeout = 20s,
            .most_bytes = 1000};
};

TEST_F(GetTest, AsksOnceAndGivesTheAnswer) {
    const auto answer =
        ask(success("{\"data\":[]}", "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nRetry-After: 3\r\n"));
    ASSERT_TRUE(answer) << answer.error().reason;
    EXPECT_EQ(answer->head.status, 200);
    EXPECT_EQ(answer->body, "{\"data\":[]}");
    EXPECT_TRUE(answer->head.date);
    EXPECT_EQ(answer->head.retry_after, 3s);
    EXPECT_EQ(server->requests(),
              std::vector<std::string>{
                  "GET /v1/events?limit=100 HTTP/1.1\r\nHost: " + server->authority() +
                  "\r\nUser-Agent: sluice\r\nAccept: application/json\r\nAuthorization: Bearer " +
                  std::string{canary} + "\r\n\r\n"});
}

TEST_F(GetTest, KeepsItsConnection) {
    server = std::make_unique<ScriptedServer>([](const std::string&) { return success("[]"); });
    api.url = "http://" + server->authority();
    Get get{api};
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(get.ask(request_for()));
    EXPECT_EQ(server->connections(), 1);
}

TEST_F(GetTest, RedirectsAreNotFollowed) {
    const auto answer = ask({"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->head.status, 302);
    EXPECT_EQ(server->requests().size(), 1U);
}

TEST_F(GetTest, TargetsAreSentAsTheyAre) {
    server = std::make_unique<ScriptedServer>([](const std::string&) { return success("[]"); });
    api.url = "http://" + server->authority();
    EXPECT_TRUE(Get{api}.ask(request_for("/v1/../events?created%5Bgte%5D=1")));
    EXPECT_TRUE(server->requests().at(0).starts_with("GET /v1/../events?created%5Bgte%5D=1 HTTP/1.1\r\n"));
}

// The limit of what is taken.

TEST_F(GetTest, ASuccessOfTheMostBytesIsTaken) {
    const auto answer = ask(success(std::string(1000, ' ')));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->body.size(), 1000U);
}

TEST_F(GetTest, OneByteMoreIsTooLong) {
    expect_no_answer(Why::too_long, ask(success(std::string(1001, ' '))));
}

TEST_F(GetTest, AnEndlessAnswerIsTooLong) {
    expect_no_answer(Why::too_long,
                     ask({"HTTP/1.1 200 OK\r\n\r\n", Reply::Then::go_on, std::string(500, ' ')}));
    expect_no_answer(Why::too_long, ask({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                                         Reply::Then::go_on, "4\r\n    \r\n"}));
}

TEST_F(GetTest, OfARefusalTheBeginningIsTaken) {
    const auto answer = ask({"HTTP/1.1 500 Oh\r\n\r\n", Reply::Then::go_on, std::string(5000, 'x')});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->head.status, 500);
    EXPECT_EQ(answer->body, std::string(64 * 1024, 'x'));
}

TEST_F(GetTest, AnEndlessHeadIsNoAnswer) {
    expect_no_answer(Why::unreachable, ask({"HTTP/1.1 200 OK\r\n", Reply::Then::go_on, "X-More: more\r\n"}));
}

// What is no answer.

TEST_F(GetTest, SilenceEndsInTime) {
    api.timeout = 100ms;
    expect_no_answer(Why::unreachable, ask({"", Reply::Then::wait}));
    expect_no_answer(Why::unreachable,
                     ask({"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1", Reply::Then::wait}));
}

TEST_F(GetTest, ACutAnswerIsNone) {
    for (const auto* bytes : {"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234",
                              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n    \r\n",
                              "HTTP/1.1 100 Continue\r\n\r\n", "no HTTP at all\r\n\r\n"})
        expect_no_answer(Why::unreachable, ask({bytes, Reply::Then::close}));
}

TEST_F(GetTest, ACutRefusalIsARefusal) {
    const auto answer =
        ask({"HTTP/1.1 429 Slow\r\nContent-Length: 9\r\nRetry-After: 5\r\n\r\n1", Reply::Then::close});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->head.status, 429);
    EXPECT_EQ(answer->head.retry_after, 5s);
}

TEST_F(GetTest, NobodyThereIsUnreachableAndLaterReached) {
    api.url = "http://127.0.0.1:1";
    Get get{api};
    expect_no_answer(Why::unreachable, get.ask(request_for()));
    expect_no_answer(Why::unreachable, get.ask(request_for()));
}

// It hangs where the promise is broken: the test's time limit catches it.
TEST_F(GetTest, EndsWhenItIsStopped) {
    api.timeout = 1h;
    std::stop_source stop;
    server = std::make_unique<ScriptedServer>([&](const std::string&) {
        stop.request_stop();
        return Reply{"", Reply::Then::wait};
    });
    api.url = "http://" + server->authority();
    expect_no_answer(Why::stopped, Get{api}.ask(request_for(), stop.get_token()));
}

// Where it goes.

TEST_F(GetTest, AnAddressThatIsNotAllowedGetsNothing) {
    api.allowed.clear();
    expect_no_answer(Why::unreachable, ask(success("[]")), "127.0.0.1");
    EXPECT_EQ(server->connections(), 0);
}

TEST_F(GetTest, WithoutTlsAlsoAPublicAddressMustBeAllowed) {
    api.url = "http://8.8.8.8:1";
    expect_no_answer(Why::unreachable, Get{api}.ask(request_for()), "without TLS");
}

TEST_F(GetTest, TheEnvironmentNamesNoProxy) {
    const Variable http{"http_proxy", "http://127.0.0.1:1"};
    const Variable all{"all_proxy", "http://127.0.0.1:1"};
    EXPECT_TRUE(ask(success("[]")));
}

TEST_F(GetTest, TheConfigurationDoes) {
    const Variable none{"no_proxy", "*"};
    server = std::make_unique<ScriptedServer>([](const std::string&) { return success("[]"); });
    api.url = "http://api.example";
    api.proxy = "http://" + server->authority();
    EXPECT_TRUE(Get{api}.ask(request_for()));
    EXPECT_TRUE(
        server->requests().at(0).starts_with("GET http://api.example/v1/events?limit=100 HTTP/1.1\r\n"));
}

TEST_F(GetTest, AProxyGetsTheNameOfAServerWithTlsAndNoKey) {
    server = std::make_unique<ScriptedServer>([](const std::string&) {
        return Reply{"HTTP/1.1 407 No\r\nRetry-After: 9\r\nContent-Length: 0\r\n\r\n", Reply::Then::close};
    });
    api.url = "https://api.example";
    api.proxy = "http://" + server->authority();
    expect_no_answer(Why::unreachable, Get{api}.ask(request_for()));
    EXPECT_TRUE(server->requests().at(0).starts_with("CONNECT api.example:443 HTTP/1.1\r\n"));
    EXPECT_FALSE(server->requests().at(0).contains(canary));
}

// TLS.

class GetByTlsTest : public GetTest {
protected:
    GetByTlsTest() {
        server = std::make_unique<ScriptedServer>([](const std::string&) { return success("[]"); },
                                                  certificate.certificate(), certificate.key());
        api.allowed.push_back(network::Block::parse("::1").value());
        api.url = "https://" + server->authority("localhost");
    }

    ingress::TestCertificate certificate;  // of localhost
};

TEST_F(GetByTlsTest, ACertificateOfTheGivenFileIsTaken) {
    api.ca_file = certificate.certificate();
    const auto answer = Get{api}.ask(request_for());
    EXPECT_TRUE(answer) << answer.error().reason;
}

TEST_F(GetByTlsTest, ACertificateThatNobodyKnowsGetsNoKey) {
    expect_no_answer(Why::unreachable, Get{api}.ask(request_for()));
    EXPECT_TRUE(server->requests().empty());
}

TEST_F(GetByTlsTest, ACertificateOfAnotherNameGetsNoKey) {
    api.ca_file = certificate.certificate();
    api.url = "https://" + server->authority("127.0.0.1");
    expect_no_answer(Why::unreachable, Get{api}.ask(request_for()));
    EXPECT_TRUE(server->requests().empty());
}

// What is no request.

TEST_F(GetTest, ATargetThatHttpDoesNotAllowIsRefused) {
    api.url = "http://127.0.0.1:1";
    for (const std::string target : {"", "v1", "@evil.example/", "/a b", "/a\r\nX: y", "/a#b", "/\xc3\xa9"})
        EXPECT_THROW((void)Get{api}.ask(request_for(target)), std::invalid_argument) << target;
}

TEST_F(GetTest, AHeaderThatHttpDoesNotAllowIsRefusedAndNotSaid) {
    api.url = "http://127.0.0.1:1";
    ApiRequest request{.target = "/", .headers = {}};
    request.headers.emplace_back("Authorization", Secret{std::string{canary} + "\nX: y"});
    try {
        (void)Get{api}.ask(request);
        FAIL() << "it was sent";
    } catch (const std::invalid_argument& refused) {
        EXPECT_FALSE(std::string_view{refused.what()}.contains(canary)) << refused.what();
    }
}

}  // namespace
}  // namespace sluice::poller
