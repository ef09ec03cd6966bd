// A deadline passes while bytes of its peer are read already and their handler waits for its turn: at that
// moment there is nothing that could be cancelled. Then the peer falls silent.
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingress/connection/phases.hpp"
#include "ingress/request/session.hpp"
#include "tests/unit/ingress/support/running_server.hpp"
#include "tests/unit/ingress/support/test_certificate.hpp"

namespace sluice::ingress {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

const std::string served = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\n\r\n";
const std::string told_too_late =
    "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
constexpr std::size_t buffer = connection::RequestBuffer::capacity;

/// Runs steps on the server's thread, between any two things that the thread does; each as soon as the server
/// has read all that was sent. Who asked for bytes that were there already has not been told of them by then.
class InBetween {
public:
    using Step = std::function<void(Shard&)>;

    InBetween(const Client& client, std::vector<Step> steps) : client_{client}, steps_{std::move(steps)} {}

    void run_on(RunningServer& running) {
        running.server->on_each([this](Shard& shard) { look(shard); });
        done_.get_future().wait();
    }

private:
    void look(Shard& shard) {
        if (client_.unread() == 0U) steps_[next_++](shard);
        if (next_ == steps_.size()) return done_.set_value();
        asio::post(shard.io, [this, &shard] { look(shard); });
    }

    const Client& client_;
    std::vector<Step> steps_;
    std::size_t next_ = 0;
    std::promise<void> done_;
};

class LateBytes : public testing::Test {
protected:
    void start(const std::string& source_settings = "", config::ListenSettings listen = {},
               const std::shared_ptr<asio::ssl::context>& tls = nullptr) {
        running_ = std::make_unique<RunningServer>(source_settings, std::move(listen), tls);
        client_.emplace(running_->connect());
    }

    [[nodiscard]] InBetween::Step sends(std::string bytes) const {
        return [this, bytes = std::move(bytes)](Shard&) { client_->send(bytes); };
    }
    /// Time passes, and is noticed.
    [[nodiscard]] InBetween::Step waits(std::chrono::milliseconds time) const {
        return [this, time](Shard& shard) {
            running_->clock.advance(time);
            shard.deadlines.sweep(running_->clock.steady());
        };
    }
    /// What is sent first, and what happens in between from then on. Sent by a step it is read in one piece:
    /// the server has its thread back only when all is there.
    void play(const std::string& first, std::vector<InBetween::Step> steps) {
        client_->send(first);
        InBetween{*client_, std::move(steps)}.run_on(*running_);
    }

    /// A request and `end`, which one read takes to the byte: after a shorter one Asio waits for news of the
    /// socket.
    [[nodiscard]] std::string filling_the_buffer_with(const std::string& end) const {
        const auto padded = [this](std::size_t by) {
            return running_->signed_request(event_body() + std::string(by, ' '));
        };
        const std::size_t least = padded(10'000).size() + end.size();  // with a length of five digits
        return padded(10'000 + buffer - least) + end;
    }
    /// Whether the server has no connection any more but the one that looks.
    [[nodiscard]] bool gives_its_place_back() const {
        Client other = running_->connect();
        other.send(running_->signed_request(event_body()));
        EXPECT_EQ(other.answer(), served);
        for (int i = 0; i < 20 && running_->limits.open() != 1; ++i) running_->pass({});
        EXPECT_FALSE(other.has_news({}));
        return running_->limits.open() == 1;
    }

    std::unique_ptr<RunningServer> running_;
    std::optional<Client> client_;
};

TEST_F(LateBytes, InTheProxysHeaderEndTheConnection) {
    config::ListenSettings listen;
    listen.proxy = config::ListenSettings::Proxy::v2;
    listen.trusted = {"127.0.0.0/8"};
    start("", listen);
    const std::string header = "\r\n\r\n\0\r\nQUIT\n\x21\x11\x01\x00"s;  // 256 bytes are to follow
    play(header + std::string(100, '\0'), {waits(6s)});
    EXPECT_EQ(client_->rest(), "");
}

TEST_F(LateBytes, InTheHandshakeEndTheConnection) {
    const TestCertificate files;
    start("", {}, connection::server_tls(files.certificate(), files.key()));
    // Two full records of a greeting that announces 60,000 bytes: more than one read takes.
    const std::string record = "\x16\x03\x01\x40\x00"s;
    const std::string greeting = "\x01\x00\xea\x60\x03\x03"s;
    play(record + greeting + std::string(16384 - greeting.size(), 'r') + record + std::string(16384, 'r'),
         {waits(6s)});
    EXPECT_EQ(client_->rest(), "");
}

TEST_F(LateBytes, InTheHeadEndTheConnection) {
    start();
    play(running_->signed_request(event_body()), {sends("POST /v1"), sends("/webhooks"), waits(6s)});
    EXPECT_EQ(client_->answer(), served);
    EXPECT_EQ(client_->answer(), told_too_late);
    EXPECT_EQ(client_->rest(), "");
}

TEST_F(LateBytes, InAShortBodyEndTheConnection) {
    start();
    const std::string head =
        "POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\nExpect: "
        "100-continue\r\n\r\n";
    play(filling_the_buffer_with(head), {sends("half of it"), waits(11s)});
    EXPECT_EQ(client_->answer(), served);
    EXPECT_EQ(client_->answer(), "HTTP/1.1 100 Continue\r\n\r\n");
    EXPECT_EQ(client_->answer(), told_too_late);
    EXPECT_EQ(client_->rest(), "");
}

TEST_F(LateBytes, InALongBodyEndTheConnection) {
    start();
    play("POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" +
             std::string(buffer + 5000, 'x'),
         {waits(11s)});
    EXPECT_EQ(client_->answer(), told_too_late);
    EXPECT_EQ(client_->rest(), "");
}

TEST_F(LateBytes, InChunksEndTheConnection) {
    start("chunked: true");
    play("POST /v1/webhooks/stripe-eu HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n" +
             std::string(buffer + 5000, 'x'),
         {waits(11s)});
    EXPECT_EQ(client_->answer(), told_too_late);
    EXPECT_EQ(client_->rest(), "");
}

TEST_F(LateBytes, AfterARefusalEndTheConnection) {
    start();
    play("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n" + std::string(buffer + 5000, 'x'), {waits(2s)});
    EXPECT_TRUE(client_->answer().starts_with("HTTP/1.1 404 "));
    EXPECT_EQ(client_->rest(), "");
    EXPECT_TRUE(gives_its_place_back()) << "the end of the answer is not the end of the connection";
}

/// It is not late: its own time begins with its first byte.
TEST_F(LateBytes, OfARequestThatComesWhenTheIdleBufferGoesAreServed) {
    start();
    play("", {sends(filling_the_buffer_with("")), sends(running_->signed_request(event_body())),
              waits(connection::buffer_kept_for)});
    EXPECT_EQ(client_->answer(), served);
    EXPECT_EQ(client_->answer(), served);
}

TEST_F(LateBytes, OfARequestThatComesWhenTheServerLeavesAreServed) {
    start();
    const auto leaves = [](Shard& shard) {
        shard.draining = true;
        for (connection::Drainable& connection : shard.connections) connection.drain();
    };
    play("", {sends(filling_the_buffer_with("")), sends(running_->signed_request(event_body())), leaves});
    EXPECT_EQ(client_->answer(), served);
    EXPECT_EQ(
        client_->answer(),
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(client_->rest(), "");
}

}  // namespace
}  // namespace sluice::ingress
