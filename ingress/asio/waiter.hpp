#pragma once

#include <optional>
#include <utility>

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>

#include "ingress/asio/asio.hpp"

namespace sluice::ingress {

/// One coroutine waits until code on the same io_context wakes it. At most one waits at a time;
/// a wake that comes first is remembered. After `wake` the coroutine goes on from the io_context's queue, so
/// that a C library's callback may call it.
class Waiter {
public:
    [[nodiscard]] Task<void> wait() {
        if (std::exchange(woken_, false)) co_return;
        const Park park{this};
        co_await asio::async_initiate<const Token, void()>(park, token);
        woken_ = false;
    }

    void wake() {
        woken_ = true;
        if (!parked_) return;
        const Executor executor = asio::get_associated_executor(*parked_);
        auto go_on = [coroutine = take()]() mutable { std::move(coroutine)(); };
        asio::post(executor, std::move(go_on));
    }

    /// The same, but the coroutine goes on inside the call, which saves a turn of the io_context: for
    /// the io_context's own handlers that hold no lock. This may be gone afterwards.
    void resume() {
        woken_ = true;
        if (parked_) take()();
    }

private:
    using Token = asio::use_awaitable_t<Executor>;
    using Coroutine = asio::async_result<Token, void()>::handler_type;
    struct Park {
        Waiter* waiter;
        void operator()(Coroutine coroutine) const { waiter->parked_.emplace(std::move(coroutine)); }
    };
    static constexpr Token token{};

    [[nodiscard]] Coroutine take() {
        Coroutine coroutine = *std::move(parked_);
        parked_.reset();
        return coroutine;
    }

    std::optional<Coroutine> parked_;
    bool woken_ = false;
};

}  // namespace sluice::ingress
