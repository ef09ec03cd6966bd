#pragma once

#include <optional>
#include <utility>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>

#include "ingress/asio.hpp"

namespace sluice::ingress {

/// One coroutine waits until somebody on the same io_context wakes it. At most one waits at a time;
/// a wake that comes first is remembered. After `wake` the coroutine goes on from the io_context's queue, so
/// that a C library's callback may call it.
class Waiter {
public:
    [[nodiscard]] Task<void> wait() {
        if (std::exchange(woken_, false)) co_return;
        const Park park{this};
        co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void()>(park, token);
        woken_ = false;
    }

    void wake() {
        woken_ = true;
        if (!parked_) return;
        auto go_on = [coroutine = std::move(parked_)]() mutable { std::move(coroutine)(); };
        asio::post(*executor_, std::move(go_on));
    }

    /// The same, but the coroutine goes on inside the call, which saves a turn of the io_context: for
    /// handlers of its own that hold no lock. This may be gone afterwards.
    void resume() {
        woken_ = true;
        if (parked_) std::exchange(parked_, {})();
    }

private:
    struct Park {
        Waiter* waiter;
        template <class Handler>
        void operator()(Handler&& handler) const {
            waiter->executor_ = asio::get_associated_executor(handler);
            waiter->parked_ = std::forward<Handler>(handler);
        }
    };
    static constexpr asio::use_awaitable_t<Executor> token{};

    asio::any_completion_handler<void()> parked_;
    std::optional<Executor> executor_;
    bool woken_ = false;
};

}  // namespace sluice::ingress
