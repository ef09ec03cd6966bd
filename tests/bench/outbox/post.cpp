// The floor of `./run bench relay` to a URL: keep-alive connections, each with one of the relay's messages on
// its way. Nothing is read from a database, signed or marked.
#include <exception>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <boost/asio.hpp>
#include <boost/beast.hpp>

#include "tests/bench/outbox/message.hpp"
#include "tests/bench/outbox/window.hpp"

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

struct Options {
    std::uint16_t port = 0;
    std::uint64_t messages = 0;
    std::uint64_t keys = 1;
    int concurrency = 16;
};

http::request<http::string_body> request_of(sluice::bench::Message message) {
    http::request<http::string_body> request{http::verb::post, "/messages", 11};
    request.set(http::field::host, "127.0.0.1");
    request.set(http::field::user_agent, "bare");
    for (const auto& [name, value] : message.headers) request.set(name, value);
    request.body() = std::move(message.body);
    request.prepare_payload();
    return request;
}

void expect(const beast::error_code& error) {
    if (error) throw beast::system_error{error};
}

/// What all connections share.
struct Work {
    const Options& options;
    sluice::bench::SendingWindow window;
    std::uint64_t next = 0;
};

/// One message at a time. Outlives the context's run.
class Connection {
public:
    Connection(asio::io_context& context, Work& work) : work_{work}, stream_{context} {
        stream_.connect({asio::ip::address_v4::loopback(), work.options.port});
        stream_.socket().set_option(asio::ip::tcp::no_delay{true});
        send();
    }

private:
    void send() {
        if (work_.next >= work_.options.messages) return;
        request_ = request_of(sluice::bench::message(work_.next++, work_.options.keys));
        http::async_write(stream_, request_, [this](const beast::error_code& error, std::size_t) {
            expect(error);
            receive();
        });
    }

    void receive() {
        answer_ = {};
        http::async_read(stream_, buffer_, answer_, [this](const beast::error_code& error, std::size_t) {
            expect(error);
            if (answer_.result_int() != 204) throw std::runtime_error{"the receiver does not take a message"};
            work_.window.sent();
            send();
        });
    }

    Work& work_;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> request_;
    http::response<http::string_body> answer_;
};

void run(const Options& options) {
    Work work{.options = options, .window = sluice::bench::SendingWindow{options.messages}};
    asio::io_context context{1};
    std::vector<std::unique_ptr<Connection>> connections;
    for (int i = 0; i < options.concurrency; ++i)
        connections.push_back(std::make_unique<Connection>(context, work));
    context.run();
    work.window.print();
}

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"posts the relay's messages with nothing around it"};
    Options options;
    app.add_option("--port", options.port)->required();
    app.add_option("--messages", options.messages)->required();
    app.add_option("--keys", options.keys)->check(CLI::PositiveNumber);
    app.add_option("--concurrency", options.concurrency, "connections");
    CLI11_PARSE(app, count, arguments);
    try {
        run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "post: %s\n", error.what());
        return 1;
    }
    return 0;
}
