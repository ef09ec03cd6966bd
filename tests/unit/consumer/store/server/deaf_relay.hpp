#pragma once

#include <cstdint>
#include <semaphore>
#include <thread>

namespace sluice::store {

/// Stands between one session at a time and the server, both on loopback. It passes everything on but a KILL
/// QUERY: that one it keeps to itself, and hangs up.
class DeafRelay {
public:
    explicit DeafRelay(std::uint16_t server_port);
    ~DeafRelay();
    DeafRelay(const DeafRelay&) = delete;
    DeafRelay& operator=(const DeafRelay&) = delete;

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// Blocks until a KILL QUERY has come.
    void wait_for_kill() { kills_.acquire(); }

private:
    void run(const std::stop_token& stop);
    void pass_on(const std::stop_token& stop, int client, int server);

    const std::uint16_t server_port_;
    int listener_ = -1;
    std::uint16_t port_ = 0;
    std::counting_semaphore<> kills_{0};
    std::jthread thread_;
};

}  // namespace sluice::store
