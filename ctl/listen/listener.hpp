#pragma once

#include <list>
#include <optional>
#include <vector>

#include <poll.h>

#include "ctl/listen/connection.hpp"

namespace sluice::ctl {

/// Connections to a port of 127.0.0.1, of which none waits for another. Beyond `most_connections` the oldest
/// is dropped. One thread.
class Listener {
public:
    static constexpr std::size_t most_connections = 64;

    /// Port 0: any that is free. Throws std::runtime_error when it cannot be had.
    Listener(std::uint16_t port, const Clock& clock);

    [[nodiscard]] std::uint16_t port() const { return operations::port_of(listening_); }

    /// Until `stop` can be read, `end` is there, or the recipient wants no more and has all its answers sent.
    void run(int stop, std::optional<SteadyTime> end, Recipient& recipient);

private:
    void ask_for(std::vector<pollfd>& wanted, int stop, bool wants_more) const;
    [[nodiscard]] int patience_left(std::optional<SteadyTime> end) const;
    void serve(const std::vector<pollfd>& seen, Recipient& recipient);
    void forget_slow_ones();
    void take_new_one();
    [[nodiscard]] bool owes_answers() const;

    const Clock& clock_;
    const operations::Socket listening_;
    std::list<Connection> connections_;
};

}  // namespace sluice::ctl
