#pragma once

#include <optional>
#include <utility>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/post.hpp>

#include "ingress/asio/asio.hpp"

namespace sluice::ingress {

/// One coroutine waits until code on the same io_context wakes it. At most one waits at a time;
/// a wake that comes first is remembered. After `wake` the coroutine goes on from the io_context's queue, so
/// that a C library's callback may call it.
class Waiter {
public:
    /// To be awaited at once.
    [[nodiscard]] auto wait() {
        return asio::async_initiate<const asio::deferred_t, void()>(Park{this}, asio::deferred);
    }

    void wake() {
        if (!parked_) {
            woken_ = true;
            return;
        }
        auto go_on = [coroutine = std::exchange(parked_, nullptr)]() mutable { std::move(coroutine)(); };
        asio::post(*executor_, std::move(go_on));
    }

    /// The same, but the coroutine goes on inside the call, which saves a turn of the io_context: for
    /// the io_context's own handlers that hold no lock. This may be gone afterwards.
    void resume() {
        if (parked_)
            std::exchange(parked_, nullptr)();
        else
            woken_ = true;
    }

private:
    using Coroutine = asio::any_completion_handler<void()>;
    struct Park {
        Waiter* waiter;
        template <class Handler>
        void operator()(Handler coroutine) const {
            waiter->executor_.emplace(asio::get_associated_executor(coroutine));
            waiter->parked_ = std::move(coroutine);
            if (std::exchange(waiter->woken_, false)) waiter->wake();
        }
    };

    Coroutine parked_;
    std::optional<Executor> executor_;  // the coroutine's
    bool woken_ = false;
};

}  // namespace sluice::ingress
