#pragma once

#include <memory>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/webhook/body/json_view.hpp"
#include "common/webhook/signature/verify.hpp"
#include "ingress/asio/asio.hpp"
#include "ingress/callbacks/callback_log.hpp"
#include "ingress/connection/date_line.hpp"
#include "ingress/connection/deadlines.hpp"
#include "ingress/connection/drainable.hpp"
#include "ingress/connection/limits.hpp"
#include "ingress/connection/proxy.hpp"
#include "ingress/connection/request_buffer.hpp"
#include "ingress/dedup/deduplicator.hpp"
#include "ingress/publish/publisher.hpp"
#include "ingress/request/client_meters.hpp"
#include "ingress/request/decision_log.hpp"
#include "ingress/request/delivery_watch.hpp"
#include "ingress/request/outcome_answer.hpp"
#include "ingress/request/request_spans.hpp"
#include "ingress/request/routes.hpp"
#include "ingress/telemetry/stages.hpp"

namespace boost::asio::ssl {
class context;
}

namespace sluice::ingress {

/// What all shards share. Outlives them.
struct Common {
    const config::ListenSettings& listen;
    connection::TrustedProxies trusted;
    connection::Limits& limits;
    ClientMeters& clients;
    const Clock& clock;
    Log& log;
    Metrics& metrics;
    DecisionCounters& counters;
    RequestSpans& spans;
    DeliveryWatch& deliveries;
    HeaderForm headers{};  ///< of the events' records
};

/// Everything that one thread's requests use. A connection stays with its shard, so nothing here is
/// locked. Destroyed after its thread has ended and after the Kafka producer.
struct Shard {
    explicit Shard(const Common& shared)
        : common{shared}, headers{shared.headers}, decisions{shared.log, shared.counters} {}

    const Common& common;
    connection::Deadlines deadlines;
    connection::BufferPool buffers;
    webhook::Scratch scratch;
    webhook::JsonView json;
    webhook::JsonView item;  ///< one event of a delivery with several
    record::EncodedHeaders headers;
    DecisionLog decisions;
    ProviderTimes times;
    std::unique_ptr<callbacks::CallbackLog> callbacks;  ///< null: they are not recorded
    connection::DateLine date;
    connection::Drainables connections;
    std::shared_ptr<const Routes> routes;
    std::shared_ptr<boost::asio::ssl::context> tls;  ///< of connections to come; null: plain
    unsigned forgers_that_rested = 0;
    int requests_in_flight = 0;     ///< whose answers are not decided yet
    bool ends_connections = false;  ///< with the next answer of each
    bool draining = false;          ///< no connection may wait for another request
    bool cut = false;               ///< connections that were accepted too late to be cut end by themselves

    // Coroutine frames die with it, so it goes before all that they touch, and after what uses it.
    asio::io_context io{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};  // no other thread touches what is on it
    std::unique_ptr<dedup::Deduplicator> deduplicator;
    std::unique_ptr<publish::Publisher> publisher;
};

}  // namespace sluice::ingress
