#pragma once

#include <atomic>
#include <memory>

#include "command/execute/executor.hpp"
#include "command/http/callers.hpp"
#include "command/http/commands.hpp"
#include "command/http/request_bounds.hpp"
#include "command/http/request_log.hpp"
#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/connection/date_line.hpp"
#include "ingress/connection/deadlines.hpp"
#include "ingress/connection/drainable.hpp"
#include "ingress/connection/limits.hpp"
#include "ingress/connection/request_buffer.hpp"

namespace boost::asio::ssl {
class context;
}

namespace sluice::command {

/// What all shards share. Outlives them; the executor does not (see Server).
struct Common {
    const config::ListenSettings& listen;
    RequestBounds bounds;
    connection::Limits& limits;
    const Clock& clock;
    Log& log;
    Metrics& metrics;
    RequestLog& requests;
    const Commands& commands;
    metering::Meters& meters;
    Executor& executor;
    std::atomic<int> in_flight{0};
};

/// Everything that one thread's requests use. A connection stays with its shard, so nothing here is locked.
/// Destroyed after its thread has ended and after the executor.
struct Shard {
    explicit Shard(Common& shared) : common{shared} {}

    Common& common;
    connection::Deadlines deadlines;
    connection::BufferPool buffers;
    webhook::Scratch scratch;
    connection::DateLine date;
    connection::Drainables connections;
    std::shared_ptr<boost::asio::ssl::context> tls;  ///< null: plain
    std::shared_ptr<const Callers> callers;          ///< never null once it serves
    bool ends_connections = false;                   ///< with the next reply of each
    bool draining = false;                           ///< no connection may wait for another request
    bool cut = false;  ///< connections that were accepted too late to be cut end by themselves

    // Coroutine frames die with it, so it goes before all that they touch.
    ingress::asio::io_context io{
        BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};  // no other thread touches what is on it
};

}  // namespace sluice::command
