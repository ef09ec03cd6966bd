#pragma once

#include <functional>
#include <memory>
#include <string>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/connection/limits.hpp"

namespace sluice::connection {

/// A listening socket of one io_context on a port that all of them share (SO_REUSEPORT): the kernel
/// spreads connections, nothing is handed over between threads. One thread.
///
/// When the process has no descriptor left it gives up a reserved one to accept and close the next
/// connection, so that clients are refused and not left waiting, and pauses.
class Listener {
public:
    using Welcome = std::function<void(ingress::Socket, Limits::Slot)>;

    /// Binds and listens at once; throws std::runtime_error that names the address. `port` 0: any.
    Listener(ingress::asio::io_context& io, const std::string& host, std::uint16_t port, Limits& limits,
             Log& log, Counter& turned_away, Welcome welcome);
    ~Listener();

    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    void start();
    /// Takes what the kernel has accepted already, then closes the socket.
    void stop();

private:
    ingress::Task<void> accept();
    void take(ingress::Socket socket);
    void refuse_one();

    ingress::asio::io_context& io_;
    Limits& limits_;
    Log& log_;
    Counter& turned_away_;
    Welcome welcome_;
    ingress::Acceptor acceptor_;
    ingress::Timer pause_;
    int reserve_ = -1;
};

}  // namespace sluice::connection
