#pragma once

#include <deque>
#include <expected>
#include <mutex>
#include <vector>

#include "common/clock.hpp"
#include "ingress/publish/drain_estimate.hpp"
#include "ingress/publish/gathering.hpp"
#include "ingress/publish/outgoing.hpp"

namespace sluice::publish {

/// The records of one partition that have no report yet: those that librdkafka has and those gathered
/// behind them. Thread-safe; the lock covers the hand-over to librdkafka, which is what keeps the order.
class PartitionQueue {
public:
    explicit PartitionQueue(std::size_t batch_bytes) : estimate_{batch_bytes} {}

    /// Sends or gathers; otherwise says why not, and nothing was taken.
    [[nodiscard]] std::expected<void, Published> offer(rd_kafka_t& client, rd_kafka_topic_t& topic,
                                                       Outgoing& record, SteadyTime::duration within,
                                                       SteadyTime now);

    /// `count` records of `bytes` have their reports: sends what was gathered when that were all. Records
    /// that librdkafka refuses then are appended to `failed`.
    void settled(rd_kafka_t& client, rd_kafka_topic_t& topic, std::size_t count, std::size_t bytes,
                 SteadyTime now, std::vector<std::unique_ptr<Delivery>>& failed);

    /// The same when there is no producer to send anything with; nothing is gathered then.
    void settled_for_good(std::size_t count, std::size_t bytes, SteadyTime now);

    /// Gives up what is gathered: the producer goes.
    void abandon(SteadyTime now, std::vector<std::unique_ptr<Delivery>>& failed);

private:
    std::mutex mutex_;
    Gathering gathering_;
    DrainEstimate estimate_;
    std::deque<Outgoing> gathered_;
};

/// What a refusal by librdkafka means for the request.
[[nodiscard]] Published outcome_of(rd_kafka_resp_err_t refused) noexcept;

}  // namespace sluice::publish
