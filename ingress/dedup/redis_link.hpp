#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include <boost/asio/ssl/stream.hpp>

#include "ingress/asio/asio.hpp"
#include "ingress/dedup/redis_handle.hpp"

namespace sluice::dedup {

/// The bytes to and from one Redis server, from connecting to closing. Whatever reads or writes it holds it:
/// an operation may end after the connection has been given up. One thread's.
class RedisLink : public std::enable_shared_from_this<RedisLink> {
public:
    /// `tls` is the client's side of a session; null: plain.
    RedisLink(ingress::asio::io_context& io, Ssl tls);

    using Endpoint = ingress::Tcp::endpoint;
    using Error = boost::system::error_code;

    /// Connects, and shakes hands under TLS: an error too where the server's certificate is not good.
    [[nodiscard]] ingress::Task<Error> connect(Endpoint server);

    /// What comes next, until the next call; empty with an error.
    [[nodiscard]] ingress::Task<std::tuple<Error, std::string_view>> read();

    /// Takes a command along, which leaves with the next one that is in a hurry, or with `flush`.
    void queue(std::string_view command) { queued_ += command; }
    /// What is queued leaves at the end of this turn of the io_context, all of it in one write.
    void flush_soon();
    void flush();

    /// Ends everything that is in progress with an error.
    void close() noexcept;

private:
    using Tls = ingress::asio::ssl::stream<ingress::Socket&>;
    static constexpr std::size_t piece = 4096;

    [[nodiscard]] bool leaves_at_once();
    void write();

    ingress::Socket socket_;
    std::unique_ptr<Tls> tls_;
    std::array<char, piece> came_{};
    std::string queued_;
    std::string leaving_;  // in a write
    bool writing_ = false;
    bool flush_is_posted_ = false;
};

}  // namespace sluice::dedup
