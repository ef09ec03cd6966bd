#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tests/bench/load/deliveries.hpp"
#include "tests/bench/load/tally.hpp"
#include "tests/bench/wire/socket.hpp"

namespace sluice::bench {

struct Plan {
    std::uint16_t port = 0;
    int connections = 32;
    double rate = 0;                 ///< requests per second, sent when they are due; 0: closed loop
    double warm_up = 1;              ///< seconds
    double seconds = 3;              ///< the measured window
    std::uint64_t known = 0;         ///< events to make known first
    std::uint64_t most = 0;          ///< requests in all; 0: as many as fit in the time
    int process = 0;                 ///< whose processor time is read; 0: nobody's
    std::uint32_t clients = 0;       ///< addresses that the connections come from; 0: all from 127.0.0.1
    std::uint32_t first_client = 0;  ///< how far behind 127.1.0.0 these begin
    bool floods = false;             ///< opens again, without end, what the server ends
    bool anew = false;               ///< a new connection for each request
};

/// Keep-alive connections over one epoll, one request at a time on each. Single-threaded. Throws when the
/// server cannot be reached or leaves requests unanswered for 10 s.
class Sender {
public:
    Sender(const Plan& plan, Deliveries& deliveries);

    /// Warm-up, window, then waits for what is still unanswered.
    [[nodiscard]] Window run();
    [[nodiscard]] Tally& tally() noexcept { return tally_; }

private:
    struct Connection {
        Descriptor socket;
        std::string in;
        std::string out;
        Clock::time_point due;
        std::uint32_t number = 0;
        bool busy = false;
    };

    void make_known();
    void send_until(Clock::time_point end);
    void send_due(Clock::time_point now);
    void give(Connection& connection, std::string_view request, Clock::time_point due);
    void turn(Clock::time_point until);
    void readable(Connection& connection);
    void answered(Connection& connection, int status);
    void reconnect(Connection& connection);
    void renew(Connection& connection);
    void finish();
    [[nodiscard]] bool may_send() const { return sending_ && (plan_.most == 0 || tally_.sent < plan_.most); }

    const Plan& plan_;
    Deliveries& deliveries_;
    Tally tally_;
    Epoll epoll_;
    std::vector<std::unique_ptr<Connection>> connections_;
    std::vector<Connection*> idle_;
    Clock::time_point next_due_;
    Clock::duration between_{};
    std::uint64_t to_make_known_ = 0;
    bool sending_ = false;
    bool measuring_ = false;
};

}  // namespace sluice::bench
