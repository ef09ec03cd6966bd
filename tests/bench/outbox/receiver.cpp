// Takes messages for `./run bench relay`: 204 for each POST, at once, after a while or never. GET /arrivals
// lists them, one a line: idempotency key, microseconds since 1970.
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <boost/asio.hpp>
#include <boost/beast.hpp>

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

struct Options {
    std::uint16_t port = 0;
    int after_us = 0;
    bool hangs = false;
};

/// What came, a line each.
class Arrivals {
public:
    void add(std::string_view key) {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        lines_.append(key).append(" ");
        lines_ += std::to_string(std::chrono::floor<std::chrono::microseconds>(now).count()) + "\n";
    }
    [[nodiscard]] const std::string& lines() const noexcept { return lines_; }

private:
    std::string lines_;
};

/// One request at a time, until the peer closes. Its callbacks keep it.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(asio::ip::tcp::socket socket, const Options& options, Arrivals& arrivals)
        : options_{options}, arrivals_{arrivals}, socket_{std::move(socket)}, timer_{socket_.get_executor()} {
        socket_.set_option(asio::ip::tcp::no_delay{true});
    }

    void receive() {
        request_ = {};
        http::async_read(socket_, buffer_, request_,
                         [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                             if (!error) self->received();
                         });
    }

private:
    void received() {
        answer_ = {http::status::no_content, 11};
        if (request_.method() == http::verb::get) {
            answer_.result(http::status::ok);
            answer_.body() = arrivals_.lines();
            answer_.prepare_payload();
            return answer();
        }
        arrivals_.add(request_["idempotency-key"]);
        if (options_.hangs) return receive();
        if (options_.after_us == 0) return answer();
        timer_.expires_after(std::chrono::microseconds{options_.after_us});
        timer_.async_wait([self = shared_from_this()](const beast::error_code&) { self->answer(); });
    }

    void answer() {
        http::async_write(socket_, answer_,
                          [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                              if (!error) self->receive();
                          });
    }

    const Options& options_;
    Arrivals& arrivals_;
    asio::ip::tcp::socket socket_;
    asio::steady_timer timer_;
    beast::flat_buffer buffer_;
    http::request<http::string_body> request_;
    http::response<http::string_body> answer_;
};

class Receiver {
public:
    explicit Receiver(const Options& options)
        : options_{options}, acceptor_{context_, {asio::ip::address_v4::loopback(), options.port}} {}

    void run() {
        accept();
        context_.run();
    }

private:
    void accept() {
        acceptor_.async_accept([this](const beast::error_code& error, asio::ip::tcp::socket socket) {
            if (!error) std::make_shared<Connection>(std::move(socket), options_, arrivals_)->receive();
            accept();
        });
    }

    const Options& options_;
    asio::io_context context_{1};
    asio::ip::tcp::acceptor acceptor_;
    Arrivals arrivals_;
};

}  // namespace

int main(int count, char** arguments) {
    CLI::App app{"takes messages and says when each came"};
    Options options;
    app.add_option("--port", options.port)->required();
    app.add_option("--after-us", options.after_us, "answers so late");
    app.add_flag("--hangs", options.hangs, "never answers");
    CLI11_PARSE(app, count, arguments);
    try {
        Receiver{options}.run();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "receiver: %s\n", error.what());
        return 1;
    }
    return 0;
}
