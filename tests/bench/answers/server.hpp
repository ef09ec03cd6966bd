#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <boost/asio.hpp>
#include <boost/beast/http.hpp>

/// The server that a benchmark talks to over HTTP: it answers what it is told, when it is told.
namespace sluice::bench {

using Request = boost::beast::http::request<boost::beast::http::string_body>;

struct Answer {
    boost::beast::http::response<boost::beast::http::string_body> response;
    std::chrono::microseconds after{};
};

/// What to answer; nullopt: nothing, and the connection's next request is read.
using Answering = std::function<std::optional<Answer>(const Request&)>;

/// On loopback, one request of a connection at a time. One thread.
class Server {
public:
    /// Throws boost::system::system_error where the port is taken.
    Server(std::uint16_t port, Answering answering);

    /// Does not return.
    void run();

private:
    void accept();

    Answering answering_;
    boost::asio::io_context context_{1};
    boost::asio::ip::tcp::acceptor acceptor_;
};

}  // namespace sluice::bench
