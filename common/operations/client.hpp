#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "common/clock.hpp"
#include "common/operations/socket.hpp"

namespace sluice::operations {

/// One connection of the operations port: a request, its answer, then close. Nothing here waits. One thread.
class Client {
public:
    /// The bytes that answer a head.
    using Answer = std::function<std::string(std::string_view head)>;

    /// `until`: when it has to end, even if its peer goes on sending or does not read.
    Client(Socket socket, SteadyTime until) : socket_{std::move(socket)}, until_{until} {}

    [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
    /// What it waits for, as poll(2) names it.
    [[nodiscard]] short waits_for() const noexcept;
    [[nodiscard]] SteadyTime until() const noexcept { return until_; }

    /// Reads or writes what can be read or written now. False: it is over.
    [[nodiscard]] bool go_on(const Answer& answer);

private:
    [[nodiscard]] bool read_on(const Answer& answer);
    [[nodiscard]] bool write_on();

    Socket socket_;
    SteadyTime until_;
    std::string asked_;
    std::string answer_;  ///< what is left of it; empty as long as the head is not whole
};

}  // namespace sluice::operations
