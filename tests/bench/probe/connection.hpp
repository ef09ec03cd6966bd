#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tests/bench/wire/socket.hpp"

namespace sluice::bench {

struct ProbeTally {
    std::map<int, std::uint64_t> answers;  ///< by status
    std::uint64_t connects = 0;
};

/// A blocking connection that comes back when the server ends it: a sender that wants to spend as little as
/// it can. One thread. Throws std::system_error when the server cannot be reached or is silent for 20 s.
class ProbeConnection {
public:
    ProbeConnection(std::uint16_t port, ProbeTally& tally);

    /// In writes of `piece` bytes; 0: in one. What the server does not want to hear is not sent.
    void send(std::string_view bytes, std::size_t piece);
    /// Up to `answers` of them; fewer when the server ends the connection. 0: goes away and comes back.
    void read(std::size_t answers);

private:
    void connect();
    [[nodiscard]] bool receive();
    [[nodiscard]] bool take_answer();

    std::uint16_t port_;
    ProbeTally& tally_;
    Descriptor socket_;
    std::string in_;
    bool ends_ = false;
};

}  // namespace sluice::bench
