#include "ctl/listen/connection.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>

namespace sluice::ctl {
namespace {

std::string request(const std::string& fields, const std::string& body = "{}") {
    return "POST /x HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n" + body;
}

gate::Refusal refusal_of(const std::string& bytes) {
    gate::Head head;
    return whole_request(bytes, head).error();
}

TEST(ListenRequest, IsWholeWithItsLastByte) {
    const std::string bytes = request("Content-Length: 2\r\n");
    gate::Head head;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        EXPECT_EQ(whole_request(bytes.substr(0, i), head).value(), 0U);
    EXPECT_EQ(whole_request(bytes, head).value(), bytes.size());
    EXPECT_EQ(whole_request(bytes + "more", head).value(), bytes.size());
}

TEST(ListenRequest, IsBoundedBeforeItsBody) {
    EXPECT_EQ(refusal_of(request("Content-Length: 1048577\r\n", "")), gate::Refusal::body_too_large);
    gate::Head head;
    EXPECT_EQ(whole_request(request("Content-Length: 1048576\r\n", ""), head).value(), 0U);
    EXPECT_EQ(refusal_of("POST /x HTTP/1.1\r\nX: " + std::string(17 * 1024, 'x')),
              gate::Refusal::head_too_large);
}

TEST(ListenRequest, IsAPostOfKnownLength) {
    EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\nHost: a\r\n\r\n"), gate::Refusal::method_not_allowed);
    EXPECT_EQ(refusal_of(request("Transfer-Encoding: chunked\r\n")), gate::Refusal::chunked_not_allowed);
    EXPECT_EQ(refusal_of(request("")), gate::Refusal::length_required);
    EXPECT_EQ(refusal_of(request("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n")),
              gate::Refusal::length_and_coding);
    EXPECT_EQ(refusal_of("\x16\x03\x01"), gate::Refusal::request_line) << "TLS";
}

class Noted final : public Recipient {
public:
    int take(const webhook::Request& request) override {
        bodies.emplace_back(request.body);
        return 204;
    }
    void refused(gate::Refusal why) override { refusals.push_back(why); }
    [[nodiscard]] bool wants_more() const override { return true; }

    std::vector<std::string> bodies;
    std::vector<gate::Refusal> refusals;
};

/// With a client at the other end.
class ListenConnection : public testing::Test {
protected:
    static SteadyTime second(int seconds) { return SteadyTime{std::chrono::seconds{seconds}}; }

    ListenConnection() {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) != 0) std::abort();
        client_ = operations::Socket{ends[0]};
        connection_.emplace(operations::Socket{ends[1]}, second(0));
    }

    [[nodiscard]] bool after(const std::string& sent, int seconds) {
        EXPECT_EQ(::send(client_.get(), sent.data(), sent.size(), 0), static_cast<ssize_t>(sent.size()));
        return connection_->go_on(noted_, second(seconds));
    }
    [[nodiscard]] std::string answer() const {
        std::array<char, 1000> bytes{};
        const ssize_t count = ::recv(client_.get(), bytes.data(), bytes.size(), 0);
        return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
    }

    operations::Socket client_;
    std::optional<Connection> connection_;
    Noted noted_;
};

TEST_F(ListenConnection, GivesEachRequestTenSecondsHoweverManyBytesCome) {
    EXPECT_TRUE(after("POST / HTTP/1.1\r\nHost: a\r\n", 1));
    EXPECT_TRUE(after("Content-Length: 2\r\n\r\n{", 9));
    EXPECT_EQ(connection_->until(), second(10));
    EXPECT_TRUE(after("}", 9));
    EXPECT_EQ(answer(), "HTTP/1.1 204 No Content\r\n\r\n");
    EXPECT_EQ(connection_->until(), second(19));
    EXPECT_EQ(noted_.bodies, std::vector<std::string>{"{}"});
}

TEST_F(ListenConnection, EndsWithTheAnswerWhereTheClientAsksForIt) {
    EXPECT_FALSE(after(request("Content-Length: 2\r\nConnection: close\r\n"), 1));
    EXPECT_TRUE(answer().contains("Connection: close\r\n"));
}

TEST_F(ListenConnection, EndsWithARequestThatIsRefused) {
    EXPECT_FALSE(after("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 1));
    EXPECT_TRUE(answer().starts_with("HTTP/1.1 405 "));
    EXPECT_EQ(noted_.refusals, std::vector{gate::Refusal::method_not_allowed});
    EXPECT_TRUE(noted_.bodies.empty());
}

TEST_F(ListenConnection, DoesNotReadASecondRequestBehindTheFirst) {
    const std::string one = request("Content-Length: 2\r\n");
    EXPECT_FALSE(after(one + one, 1));
    EXPECT_EQ(noted_.bodies.size(), 1U);
}

}  // namespace
}  // namespace sluice::ctl
