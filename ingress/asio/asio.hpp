#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

/// Asio with the executor spelled out: every io_context has one thread, so nothing is erased,
/// nothing is locked and no strand is needed.
namespace sluice::ingress {

namespace asio = boost::asio;

using Executor = asio::io_context::executor_type;
using Tcp = asio::ip::tcp;
using Socket = asio::basic_stream_socket<Tcp, Executor>;
using Acceptor = asio::basic_socket_acceptor<Tcp, Executor>;
using Timer = asio::basic_waitable_timer<std::chrono::steady_clock,
                                         asio::wait_traits<std::chrono::steady_clock>, Executor>;

/// A coroutine of ours. Rules: aesthetics of the whole tree are in CONTRIBUTING.md; one co_await per
/// statement, its result bound to a name, only named arguments, no capturing lambdas.
template <class T>
using Task = asio::awaitable<T, Executor>;

/// Completion token of what is awaited at once: errors come back as values, and no frame is made for it.
inline constexpr asio::as_tuple_t<asio::deferred_t> use_task{};

}  // namespace sluice::ingress
