#include "ingress/connection/listener.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <format>
#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "common/webhook/gate/gate_refusal.hpp"

namespace sluice::connection {
namespace {

using ingress::Tcp;
using ingress::use_task;

constexpr int backlog = 4096;
constexpr std::chrono::milliseconds pause_for{100};

int reserved_descriptor() {
    return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void open_shared(ingress::Acceptor& acceptor, const Tcp::endpoint& endpoint) {
    acceptor.open(endpoint.protocol());
    acceptor.set_option(Tcp::acceptor::reuse_address{true});
    const int on = 1;
    if (::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        throw std::system_error{errno, std::system_category()};
    acceptor.bind(endpoint);
    acceptor.listen(backlog);
    acceptor.non_blocking(true);
}

}  // namespace

Listener::Listener(ingress::asio::io_context& io, const std::string& host, std::uint16_t port, Limits& limits,
                   Log& log, Counter& turned_away, Welcome welcome)
    : io_{io},
      limits_{limits},
      log_{log},
      turned_away_{turned_away},
      welcome_{std::move(welcome)},
      acceptor_{io},
      pause_{io},
      reserve_{reserved_descriptor()} {
    try {
        open_shared(acceptor_, {ingress::asio::ip::make_address(host), port});
    } catch (const std::exception& error) {
        throw std::runtime_error{std::format("listen.address {}:{}: {}", host, port, error.what())};
    }
}

Listener::~Listener() {
    if (reserve_ >= 0) ::close(reserve_);
}

void Listener::start() {
    const ingress::Executor executor = io_.get_executor();
    ingress::asio::co_spawn(executor, accept(), ingress::asio::detached);
}

ingress::Task<void> Listener::accept() {
    while (true) {
        ingress::Socket socket{io_};
        const auto [error] = co_await acceptor_.async_accept(socket, use_task);
        if (!error) {
            take(std::move(socket));
            continue;
        }
        if (error == ingress::asio::error::connection_aborted) continue;  // the peer has gone already
        if (error == ingress::asio::error::operation_aborted || !acceptor_.is_open()) co_return;
        if (error == ingress::asio::error::no_descriptors) refuse_one();
        log_.warn("accept_failed", {{"error", std::string_view{error.message()}}});
        pause_.expires_after(pause_for);
        const auto [interrupted] = co_await pause_.async_wait(use_task);
        if (interrupted) co_return;
    }
}

void Listener::take(ingress::Socket socket) {
    auto slot = limits_.enter();
    if (slot) return welcome_(std::move(socket), std::move(*slot));
    turned_away_.Increment();
    // What fits the socket's empty buffer is written without waiting.
    const std::string_view answer = gate::response_of(gate::Refusal::too_many_connections);
    boost::system::error_code ignored;
    socket.non_blocking(true, ignored);
    socket.send(ingress::asio::buffer(answer), 0, ignored);
}

void Listener::refuse_one() {
    if (reserve_ >= 0) ::close(reserve_);
    const int next = ::accept4(acceptor_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC);
    if (next >= 0) ::close(next);
    reserve_ = reserved_descriptor();
    turned_away_.Increment();
}

void Listener::stop() {
    boost::system::error_code error;
    while (true) {
        ingress::Socket socket{io_};
        acceptor_.accept(socket, error);
        if (error) break;
        take(std::move(socket));
    }
    acceptor_.close(error);
    pause_.cancel();
}

}  // namespace sluice::connection
