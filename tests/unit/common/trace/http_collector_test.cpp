#include "common/trace/http_collector.hpp"

#include <thread>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace sluice::trace {
namespace {

using std::chrono::hours;

/// A port where connections are made and nothing is ever read: the kernel alone answers.
class SilentPort {
public:
    SilentPort() : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        address_.sin_family = AF_INET;
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const address = reinterpret_cast<sockaddr*>(&address_);
        socklen_t size = sizeof address_;
        const bool bound = ::bind(socket_, address, size) == 0 && ::listen(socket_, 8) == 0 &&
                           ::getsockname(socket_, address, &size) == 0;
        if (!bound) throw std::runtime_error{"no port"};
    }
    ~SilentPort() { close(); }
    SilentPort(const SilentPort&) = delete;
    SilentPort& operator=(const SilentPort&) = delete;

    void close() {
        if (socket_ >= 0) ::close(socket_);
        socket_ = -1;
    }
    [[nodiscard]] config::TracingSettings settings() const {
        return {.endpoint = "http://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)) + "/v1/traces",
                .ratio = 1,
                .tls = {},
                .headers = {}};
    }

private:
    int socket_;
    sockaddr_in address_{};
};

const SystemClock clock_of_collectors;

TEST(HttpCollector, NobodyThereMayPass) {
    SilentPort port;
    port.close();
    const auto collector = http_collector(port.settings(), clock_of_collectors);
    const Sent sent = collector->send("{}", hours{1});
    EXPECT_EQ(sent.kind, Sent::Kind::again);
    EXPECT_NE(sent.reason, "");
}

// Each of these hangs when the promise is broken: the test's time limit catches it.
TEST(HttpCollector, SilenceEndsAtTheDeadline) {
    const SilentPort port;
    const auto collector = http_collector(port.settings(), clock_of_collectors);
    for (int i = 0; i < 3; ++i) {
        const Sent sent = collector->send(std::string(100'000, ' '), Milliseconds{20});
        EXPECT_EQ(sent.kind, Sent::Kind::again);
        EXPECT_EQ(sent.reason, "it did not answer in time");
    }
}

TEST(HttpCollector, SilenceEndsWhenItIsHurried) {
    const SilentPort port;
    const auto collector = http_collector(port.settings(), clock_of_collectors);
    Sent sent;
    std::jthread sender{[&] { sent = collector->send("{}", hours{1}); }};
    collector->hurry(Milliseconds{0});
    sender.join();
    EXPECT_EQ(sent.kind, Sent::Kind::again);
    EXPECT_EQ(collector->send("{}", hours{1}).kind, Sent::Kind::again);
}

}  // namespace
}  // namespace sluice::trace
