#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

#include "tests/bench/wire/socket.hpp"

namespace sluice::bench {

/// SET NX over one connection; commands are gathered until `flush`. One thread. Any trouble is an exception:
/// the floor has no plan for a Redis that fails.
class RedisPipeline {
public:
    using Done = std::function<void(std::uint64_t ticket, bool is_new)>;

    RedisPipeline(std::uint16_t port, Done done);
    [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }

    void claim(std::string_view id, std::uint64_t ticket);
    void flush();
    void readable();  ///< calls `done` for each reply, in the order of the claims

private:
    Descriptor socket_;
    Done done_;
    std::string out_;
    std::string in_;
    std::deque<std::uint64_t> waiting_;
};

}  // namespace sluice::bench
