#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/program.hpp"
#include "common/telemetry/readiness.hpp"
#include "ingress/outlet/parcel.hpp"

namespace sluice::outlet {

/// Claims, publishes and confirms as the ingress does, for a program of plain threads. Owns a thread with its
/// io_context, the producer, the watch of the topics and a connection to each Redis; says in readiness
/// ("kafka", "producer") what is missing. Without redis.urls every event is fresh.
class Outlet {
public:
    /// All that is given outlives it. Throws config::Refused for settings that librdkafka refuses or a file
    /// that cannot be used, and std::system_error where a thread cannot be started.
    Outlet(const config::KafkaSettings& kafka, const config::RedisSettings& redis, const Program& program,
           Log& log, Metrics& metrics, Readiness& readiness, const Clock& clock);
    /// Cuts deliveries that wait: each has its answer before this ends, `not_kept` for what has no ack.
    /// The last confirmations leave before. Where Kafka is silent it takes some seconds to end its clients.
    ~Outlet();
    Outlet(const Outlet&) = delete;
    Outlet& operator=(const Outlet&) = delete;

    /// What became of each parcel, in their order. Asks all claims first, then publishes what is not known,
    /// in the order given; each waits for its own delivery report, until `within` from now at most. Claims
    /// have a bound of their own (redis.answer_within); where they took longer, nothing is sent. What Kafka
    /// has is confirmed also where others are not kept, and where its report comes after this has returned.
    /// Blocks; any thread, and several at once. `parcels` and what they point to live until it returns. None
    /// begins after the destructor has.
    [[nodiscard]] std::vector<Kept> deliver(std::span<const Parcel> parcels, Milliseconds within);

    /// That the parcels of events are to have.
    [[nodiscard]] HeaderForm headers() const noexcept { return headers_; }

private:
    class Works;
    HeaderForm headers_;
    std::unique_ptr<Works> works_;
};

}  // namespace sluice::outlet
