#include "common/operations/operations_server.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// A client that sends as it is told.
class Caller {
public:
    explicit Caller(std::uint16_t port, int receive_buffer = 0)
        : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        if (receive_buffer > 0)
            (void)::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        (void)::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    Caller(Caller&& other) noexcept : socket_{std::exchange(other.socket_, -1)} {}
    ~Caller() {
        if (socket_ >= 0) ::close(socket_);
    }

    void send(const std::string& bytes) const {
        (void)::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }
    /// Until the server closes: a kept connection would hang the test.
    [[nodiscard]] std::string rest() const {
        std::string answer;
        char bytes[4096];
        for (ssize_t n = 0; (n = ::recv(socket_, bytes, sizeof bytes, 0)) > 0;)
            answer.append(bytes, static_cast<std::size_t>(n));
        return answer;
    }
    [[nodiscard]] bool has_news(int milliseconds) const {
        pollfd wanted{socket_, POLLIN, 0};
        return ::poll(&wanted, 1, milliseconds) > 0;
    }

private:
    int socket_;
};

std::string exchange(std::uint16_t port, const std::string& request) {
    const Caller caller{port};
    caller.send(request);
    return caller.rest();
}

class Operations : public ::testing::Test {
protected:
    [[nodiscard]] std::string get(const std::string& path) const {
        return exchange(server_.port(),
                        "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n");
    }

    Metrics metrics_;
    Readiness readiness_;
    std::atomic<bool> alive_ = true;
    OperationsServer server_{
        {.host = "127.0.0.1", .port = 0}, metrics_, readiness_, [this] { return alive_.load(); }};
};

TEST_F(Operations, LivezFollowsAlive) {
    EXPECT_TRUE(get("/livez").starts_with("HTTP/1.1 200 "));
    alive_ = false;
    EXPECT_TRUE(get("/livez").starts_with("HTTP/1.1 503 "));
}

TEST_F(Operations, ReadyzSaysWhy) {
    readiness_.expect("kafka", "metadata unknown");
    std::string answer = get("/readyz");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 503 ")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\nkafka: metadata unknown\n")) << answer;
    readiness_.set_ready("kafka");
    answer = get("/readyz");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\nkafka: ok\n")) << answer;
}

TEST_F(Operations, StatuszSaysTheSameToThoseWhoDropTheBodiesOfErrors) {
    readiness_.expect("kafka", "metadata unknown");
    const std::string answer = get("/statusz");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\nkafka: metadata unknown\n")) << answer;
}

TEST_F(Operations, MetricsAreInTheTextFormat) {
    metrics_.counter("a_total", "A.").Increment(2);
    const std::string answer = get("/metrics");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ")) << answer;
    EXPECT_TRUE(answer.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n")) << answer;
    EXPECT_TRUE(answer.contains("\na_total 2\n")) << answer;
}

TEST_F(Operations, HeadIsAnsweredAsGetIsWithoutTheBody) {
    const std::string answer = exchange(server_.port(), "HEAD /livez HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 200 ")) << answer;
    EXPECT_TRUE(answer.contains("\r\nContent-Length: 3\r\n") && answer.ends_with("\r\n\r\n")) << answer;
}

TEST_F(Operations, QueryIsNoPartOfThePath) {
    EXPECT_TRUE(get("/metrics?name[]=a").starts_with("HTTP/1.1 200 "));
}

TEST_F(Operations, SlowClientsKeepNobodyFromBeingAnswered) {
    std::vector<Caller> slow;
    for (std::size_t i = 0; i < 4 * OperationsServer::most_clients; ++i) {
        slow.emplace_back(server_.port());
        slow.back().send("GET /livez HTTP/1.1\r\nHost: ");
        if (i == 5 || i == OperationsServer::most_clients) {
            EXPECT_TRUE(get("/readyz").starts_with("HTTP/1.1 503 ")) << i;
        }
    }
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(get("/livez").starts_with("HTTP/1.1 200 "));
}

TEST_F(Operations, ClientThatDoesNotReadKeepsNobodyFromBeingAnswered) {
    for (int i = 0; i < 20'000; ++i)
        metrics_.counter("a_total", "A.", {{"label", std::string(200, 'x') + std::to_string(i)}});
    const Caller idle{server_.port(), 4096};
    idle.send("GET /metrics HTTP/1.1\r\n\r\n");
    ASSERT_TRUE(idle.has_news(20'000));
    EXPECT_TRUE(get("/livez").starts_with("HTTP/1.1 200 "));
    const std::string answer = idle.rest();
    const std::size_t body = answer.find("\r\n\r\n") + 4;
    EXPECT_TRUE(answer.contains("\r\nContent-Length: " + std::to_string(answer.size() - body) + "\r\n"));
    EXPECT_GT(answer.size(), 4'000'000U);
}

TEST_F(Operations, ClientThatTricklesIsLetGo) {
    const OperationsServer hasty{
        {.host = "127.0.0.1", .port = 0, .patience = Milliseconds{200}}, metrics_, readiness_, [] {
            return true;
        }};
    const Caller caller{hasty.port()};
    bool is_over = false;
    for (int i = 0; i < 1000 && !is_over; ++i) {
        caller.send("G");
        is_over = caller.has_news(10);
    }
    ASSERT_TRUE(is_over) << "each byte renewed its time";
    EXPECT_EQ(caller.rest(), "");
}

TEST_F(Operations, HeadWithoutAnEndIsNotKept) {
    EXPECT_EQ(exchange(server_.port(), "GET /livez HTTP/1.1\r\nX: " + std::string(9000, 'x')), "");
}

TEST_F(Operations, AnythingElseIsNotFound) {
    for (const std::string path : {"/", "/livez/", "/metrics/x", "/livezz", "/debug"}) {
        EXPECT_TRUE(get(path).starts_with("HTTP/1.1 404 ")) << path;
    }
    const std::string post =
        "POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    EXPECT_TRUE(exchange(server_.port(), post).starts_with("HTTP/1.1 404 "));
}

TEST_F(Operations, AnExceptionIsAServerError) {
    const OperationsServer odd{{.host = "127.0.0.1", .port = 0}, metrics_, readiness_, []() -> bool {
                                   throw std::runtime_error{"secret"};
                               }};
    const std::string answer = exchange(odd.port(), "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 500 ")) << answer;
    EXPECT_FALSE(answer.contains("secret")) << answer;
}

TEST_F(Operations, ThrowsWithTheAddressAndItsKeyWhenThePortIsTaken) {
    try {
        const OperationsServer second{
            {.host = "127.0.0.1", .port = server_.port(), .key = "operations.retry"},
            metrics_,
            readiness_,
            [] { return true; }};
        FAIL() << "bound a port that is taken";
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.contains("127.0.0.1:" + std::to_string(server_.port()))) << text;
        EXPECT_TRUE(text.ends_with("write one for this program as operations.retry")) << text;
    }
}

TEST_F(Operations, ThrowsForAnAddressThatIsNotHere) {
    EXPECT_THROW(
        (OperationsServer{{.host = "192.0.2.1", .port = 0}, metrics_, readiness_, [] { return true; }}),
        std::runtime_error);
}

TEST_F(Operations, AStoppedServerLetsItsPortGo) {
    std::uint16_t port = 0;
    {
        const OperationsServer first{
            {.host = "127.0.0.1", .port = 0}, metrics_, readiness_, [] { return true; }};
        port = first.port();
        EXPECT_FALSE(exchange(port, "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n").empty());
    }
    EXPECT_NO_THROW(
        (OperationsServer{{.host = "127.0.0.1", .port = port}, metrics_, readiness_, [] { return true; }}));
}

}  // namespace
}  // namespace sluice
