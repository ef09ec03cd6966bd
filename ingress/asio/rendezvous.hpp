#pragma once

#include <cstddef>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "ingress/asio/asio.hpp"
#include "ingress/asio/waiter.hpp"

namespace sluice::ingress {

/// Coroutines of one thread that run at the same time, and one that waits until all have ended. They begin
/// in the order in which they are started.
class Rendezvous {
public:
    explicit Rendezvous(Executor executor) : executor_{std::move(executor)} {}

    /// `task` must not throw.
    void start(Task<void> task) {
        ++running_;
        asio::co_spawn(executor_, counted(std::move(task)), asio::detached);
    }

    [[nodiscard]] Task<void> all_ended() {
        while (running_ > 0) co_await waiter_.wait();
    }

private:
    Task<void> counted(Task<void> task) {
        co_await std::move(task);
        if (--running_ == 0) waiter_.wake();
    }

    Executor executor_;
    Waiter waiter_;
    std::size_t running_ = 0;
};

}  // namespace sluice::ingress
