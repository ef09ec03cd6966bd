#include <gtest/gtest.h>
#include <poll.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <future>
#include <thread>

#include "ingress/connection/server_tls.hpp"
#include "ingress/connection/stream.hpp"
#include "tests/unit/ingress/support/running_server.hpp"
#include "tests/unit/ingress/support/test_certificate.hpp"

namespace sluice::ingress {
namespace {

namespace ssl = asio::ssl;

/// A blocking TLS client.
class TlsClient {
public:
    explicit TlsClient(std::uint16_t port, int most = TLS1_3_VERSION,
                       std::string_view protocol = "\x08http/1.1") {
        SSL_CTX_set_max_proto_version(context_.native_handle(), most);
        SSL_set_alpn_protos(stream_.native_handle(), reinterpret_cast<const unsigned char*>(protocol.data()),
                            static_cast<unsigned>(protocol.size()));
        stream_.next_layer().connect({asio::ip::make_address("127.0.0.1"), port});
    }

    bool handshake() {
        boost::system::error_code error;
        stream_.handshake(ssl::stream_base::client, error);
        return !error;
    }

    std::string ask(const std::string& request) {
        boost::system::error_code error;
        asio::write(stream_, asio::buffer(request), error);
        return answer();
    }

    /// Messages that only OpenSSL sees.
    void renew_keys(int times) {
        for (int i = 0; i < times; ++i) {
            SSL_key_update(stream_.native_handle(), SSL_KEY_UPDATE_NOT_REQUESTED);
            boost::system::error_code ended;
            stream_.handshake(ssl::stream_base::client, ended);
        }
    }

    void write(std::string_view bytes) { asio::write(stream_, asio::buffer(bytes)); }

    std::string answer() {
        boost::system::error_code error;
        std::string answer(4096, '\0');
        answer.resize(stream_.read_some(asio::buffer(answer), error));
        take_date(answer);
        return answer;
    }

    /// A request as it goes over the line, for a test that sends it in pieces. Nothing else can be asked
    /// after it.
    std::string sealed(const std::string& request) {
        BIO* line = BIO_new(BIO_s_mem());
        SSL_set0_wbio(stream_.native_handle(), line);
        SSL_write(stream_.native_handle(), request.data(), static_cast<int>(request.size()));
        std::string bytes(BIO_ctrl_pending(line), '\0');
        BIO_read(line, bytes.data(), static_cast<int>(bytes.size()));
        return bytes;
    }
    void send(std::string_view bytes) { asio::write(stream_.next_layer(), asio::buffer(bytes)); }
    std::optional<std::size_t> unread() { return unread_from(stream_.next_layer().local_endpoint().port()); }

    bool has_news(std::chrono::milliseconds within) {
        pollfd readable{.fd = stream_.next_layer().native_handle(), .events = POLLIN, .revents = 0};
        return ::poll(&readable, 1, static_cast<int>(within.count())) == 1;
    }

    /// Without a word.
    bool has_ended() {
        boost::system::error_code error;
        char byte = 0;
        return has_news({}) && stream_.read_some(asio::buffer(&byte, 1), error) == 0 && error;
    }

    /// Within the time that a loaded machine may take.
    bool ends_soon() {
        std::array<char, 4096> skipped{};
        while (has_news(std::chrono::seconds{10}))
            if (::recv(stream_.next_layer().native_handle(), skipped.data(), skipped.size(), 0) <= 0)
                return true;
        return false;
    }

    /// Of the server, by its key.
    bool is_served_by(ssl::context& tls) {
        const X509* own = SSL_get0_peer_certificate(stream_.native_handle());
        return own != nullptr && X509_cmp(own, SSL_CTX_get0_certificate(tls.native_handle())) == 0;
    }

    std::string_view version() { return SSL_get_version(stream_.native_handle()); }

private:
    asio::io_context io_;
    ssl::context context_{ssl::context::tls_client};
    ssl::stream<Tcp::socket> stream_{io_, context_};
};

const std::string success = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\n\r\n";

class Tls : public testing::Test {
protected:
    TestCertificate files_;
    std::shared_ptr<ssl::context> tls_ = connection::server_tls(files_.certificate(), files_.key());
    RunningServer running_{"max_body: 1MiB", {}, tls_};
    std::uint16_t port_ = running_.server->port();
};

TEST_F(Tls, RequestsAreServedOneAfterTheOther) {
    TlsClient client{port_};
    ASSERT_TRUE(client.handshake());
    EXPECT_EQ(client.version(), "TLSv1.3");
    for (int i = 0; i < 3; ++i) EXPECT_EQ(client.ask(running_.signed_request(event_body())), success);
    std::string large = event_body();
    large.insert(large.size() - 1, ",\"pad\":\"" + std::string(300'000, 'x') + "\"");
    EXPECT_EQ(client.ask(running_.signed_request(large)), success);
    EXPECT_EQ(running_.kafka->kept().back().value, large);
}

TEST_F(Tls, NewConnectionsGetTheNewCertificateAndOpenOnesKeepTheirs) {
    TlsClient before{port_};
    ASSERT_TRUE(before.handshake());
    const TestCertificate others;
    std::shared_ptr<ssl::context> renewed = connection::server_tls(others.certificate(), others.key());
    running_.server->on_each([renewed](Shard& shard) { shard.tls = renewed; });
    const std::weak_ptr<ssl::context> old = std::exchange(tls_, nullptr);

    TlsClient after{port_};
    ASSERT_TRUE(after.handshake());
    EXPECT_TRUE(after.is_served_by(*renewed));
    EXPECT_FALSE(before.is_served_by(*renewed));
    EXPECT_TRUE(old.expired()) << "nobody is left to serve with it";
    EXPECT_EQ(before.ask(running_.signed_request(event_body())), success);
    EXPECT_EQ(after.ask(running_.signed_request(event_body("evt_2"))), success);
}

TEST_F(Tls, OneTwoIsSpokenAndOlderVersionsAreNot) {
    EXPECT_TRUE((TlsClient{port_, TLS1_2_VERSION}.handshake()));
    // What a client of this platform could not even offer.
    EXPECT_EQ(SSL_CTX_get_min_proto_version(tls_->native_handle()), TLS1_2_VERSION);
}

TEST_F(Tls, OtherProtocolsAreRefused) {
    EXPECT_FALSE((TlsClient{port_, TLS1_3_VERSION, "\x02h2"}.handshake()));
}

TEST_F(Tls, PlainTextIsClosed) {
    Client plain = running_.connect();
    plain.send(running_.signed_request(event_body()));
    ASSERT_TRUE(plain.rest());
    EXPECT_TRUE(running_.kafka->kept().empty());
}

TEST_F(Tls, IdleConnectionEnds) {
    TlsClient client{port_};
    ASSERT_TRUE(client.handshake());
    EXPECT_EQ(client.ask(running_.signed_request(event_body())), success);
    const auto took = running_.advance_until_news(client, std::chrono::seconds{2});
    EXPECT_TRUE(client.has_ended());
    EXPECT_GE(took, std::chrono::seconds{30});
}

TEST_F(Tls, IdleConnectionEndsWhenTheConfigurationSaysSo) {
    config::ListenSettings listen;
    listen.idle = std::chrono::seconds{10};
    RunningServer running{"", listen, tls_};
    TlsClient client{running.server->port()};
    ASSERT_TRUE(client.handshake());
    EXPECT_EQ(client.ask(running.signed_request(event_body())), success);
    const auto took = running.advance_until_news(client, std::chrono::seconds{2});
    EXPECT_TRUE(client.has_ended());
    EXPECT_GE(took, std::chrono::seconds{10});
    EXPECT_LE(took, std::chrono::seconds{18});
}

TEST_F(Tls, RequestOfWhichHalfARecordIsHereWhenTheServerLeavesIsServed) {
    TlsClient client{port_};
    ASSERT_TRUE(client.handshake());
    ASSERT_EQ(client.ask(running_.signed_request(event_body())), success);
    const std::string bytes = client.sealed(running_.signed_request(event_body("evt_2")));
    client.send(std::string_view{bytes}.substr(0, bytes.size() / 2));
    while (client.unread() != 0U) std::this_thread::yield();
    running_.server->stop_accepting();
    client.send(std::string_view{bytes}.substr(bytes.size() / 2));
    EXPECT_EQ(
        client.answer(),
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSluice-Decision: accepted\r\nConnection: close\r\n\r\n");
}

TEST_F(Tls, ClientMayRenewItsKeys) {
    TlsClient client{port_};
    ASSERT_TRUE(client.handshake());
    for (int i = 0; i < 3; ++i) {
        client.renew_keys(3);
        EXPECT_EQ(client.ask(running_.signed_request(event_body())), success);
    }
}

TEST_F(Tls, ClientThatOnlyRenewsItsKeysIsCut) {
    TlsClient client{port_};
    ASSERT_TRUE(client.handshake());
    client.renew_keys(100);
    EXPECT_TRUE(client.ends_soon())
        << "each costs us a thousand times what it costs a client that has it ready";
}

TEST_F(Tls, HandshakeHasADeadline) {
    const Client silent = running_.connect();
    const auto took = running_.advance_until_news(silent, std::chrono::seconds{1});
    EXPECT_LE(took, std::chrono::seconds{8});
}

/// Reads what is there, one byte of one record after the other.
Task<void> read_all(connection::Stream& stream, std::future<void> written, int count, int& reads) {
    const auto [error] = co_await stream.handshake();
    EXPECT_FALSE(error);
    written.wait();
    for (char byte = 0; reads < count; ++reads) {
        const auto [cut, size] = co_await stream.read_some(asio::buffer(&byte, 1));
        if (cut || size == 0) break;
    }
}

TEST(TlsStream, AClientThatAlwaysHasMoreLeavesOthersTheirTurns) {
    constexpr int records = 200;
    const TestCertificate files;
    const auto tls = connection::server_tls(files.certificate(), files.key());
    asio::io_context io{1};
    Acceptor acceptor{io, Tcp::endpoint{asio::ip::make_address("127.0.0.1"), 0}};
    TlsClient client{acceptor.local_endpoint().port()};
    std::promise<void> written;
    const std::jthread sender{[&] {
        EXPECT_TRUE(client.handshake());
        for (int i = 0; i < records; ++i) client.write("x");
        written.set_value();
    }};
    connection::Stream stream{acceptor.accept(), tls.get()};
    int reads = 0;
    int turns = 0;
    const Executor executor = io.get_executor();
    asio::co_spawn(executor, read_all(stream, written.get_future(), records, reads), asio::detached);
    while (reads < records && io.run_one() > 0) turns += reads > 0 ? 1 : 0;
    EXPECT_EQ(reads, records);
    EXPECT_GT(turns, 5) << "of the io_context, in which others are served";
}

TEST(ServerTls, SaysWhichFileCannotBeUsed) {
    const TestCertificate files;
    const TestCertificate others;
    const auto said = [](const std::string& certificate, const std::string& key) -> std::string {
        try {
            static_cast<void>(connection::server_tls(certificate, key));
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(said(files.certificate(), files.key()), "");
    EXPECT_TRUE(said("/nowhere/cert.pem", files.key()).contains("/nowhere/cert.pem"));
    EXPECT_TRUE(said(files.certificate(), "/nowhere/key.pem").contains("/nowhere/key.pem"));
    EXPECT_TRUE(said(files.certificate(), others.key()).contains(others.key()));
}

}  // namespace
}  // namespace sluice::ingress
