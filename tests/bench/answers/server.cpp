#include "tests/bench/answers/server.hpp"

#include <memory>
#include <utility>

#include <boost/beast/core.hpp>

namespace sluice::bench {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

/// Until the peer closes. Its callbacks keep it.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(asio::ip::tcp::socket socket, const Answering& answering)
        : answering_{answering}, socket_{std::move(socket)}, timer_{socket_.get_executor()} {
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
        answer_ = answering_(request_);
        if (!answer_) return receive();
        if (answer_->after == answer_->after.zero()) return answer();
        timer_.expires_after(answer_->after);
        timer_.async_wait([self = shared_from_this()](const beast::error_code&) { self->answer(); });
    }

    void answer() {
        http::async_write(socket_, answer_->response,
                          [self = shared_from_this()](const beast::error_code& error, std::size_t) {
                              if (!error) self->receive();
                          });
    }

    const Answering& answering_;
    asio::ip::tcp::socket socket_;
    asio::steady_timer timer_;
    beast::flat_buffer buffer_;
    Request request_;
    std::optional<Answer> answer_;
};

}  // namespace

Server::Server(std::uint16_t port, Answering answering)
    : answering_{std::move(answering)}, acceptor_{context_, {asio::ip::address_v4::loopback(), port}} {}

void Server::run() {
    accept();
    context_.run();
}

void Server::accept() {
    acceptor_.async_accept([this](const beast::error_code& error, asio::ip::tcp::socket socket) {
        if (!error) std::make_shared<Connection>(std::move(socket), answering_)->receive();
        accept();
    });
}

}  // namespace sluice::bench
