#include "common/operations_server.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// Sends the bytes and reads until the server closes: a kept connection would hang the test.
std::string exchange(std::uint16_t port, const std::string& request) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::string answer;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        (void)::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
        char bytes[4096];
        for (ssize_t n = 0; (n = ::recv(socket, bytes, sizeof bytes, 0)) > 0;)
            answer.append(bytes, static_cast<std::size_t>(n));
    }
    ::close(socket);
    return answer;
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

TEST_F(Operations, ThrowsWithTheAddressWhenThePortIsTaken) {
    try {
        const OperationsServer second{
            {.host = "127.0.0.1", .port = server_.port()}, metrics_, readiness_, [] { return true; }};
        FAIL() << "bound a port that is taken";
    } catch (const std::runtime_error& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.contains("127.0.0.1:" + std::to_string(server_.port()))) << text;
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
