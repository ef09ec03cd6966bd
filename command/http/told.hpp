#pragma once

#include <memory>
#include <utility>

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "ingress/asio/asio.hpp"

namespace sluice::command {

/// What an executor tells from a thread of its own, for a coroutine of this io_context to wait for.
/// `ask(callback)` hands a callback over, which is copyable and may be called at once; exactly one call of
/// any of its copies counts. Only the callback keeps the coroutine: the io_context outlives whoever has it.
template <class T, class Ask>
[[nodiscard]] ingress::Task<T> told(ingress::asio::io_context& io, Ask ask) {
    using Token = ingress::asio::use_awaitable_t<ingress::Executor>;
    using Coroutine = ingress::asio::async_result<Token, void(T)>::handler_type;
    struct Asking {
        ingress::asio::io_context* io;
        Ask ask;
        void operator()(Coroutine coroutine) {
            const auto waiting = std::make_shared<Coroutine>(std::move(coroutine));
            ask([io = io, waiting](T what) {
                auto go_on = [waiting, what = std::move(what)]() mutable {
                    Coroutine resumed = std::move(*waiting);
                    std::move(resumed)(std::move(what));
                };
                ingress::asio::post(*io, std::move(go_on));
            });
        }
    };
    static constexpr Token token{};
    Asking asking{&io, std::move(ask)};
    return ingress::asio::async_initiate<const Token, void(T)>(std::move(asking), token);
}

}  // namespace sluice::command
