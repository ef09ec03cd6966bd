#pragma once

#include <functional>

#include "common/clock.hpp"
#include "ingress/connection/deadlines.hpp"
#include "ingress/publish/kafka_producer.hpp"
#include "ingress/publish/publisher.hpp"
#include "ingress/publish/report_queue.hpp"

namespace sluice::publish {

/// One io_context's way to the process's producer.
class KafkaPublisher final : public Publisher {
public:
    /// `late_ack`: see ReportQueue. Everything given outlives this; this outlives the producer's thread
    /// (the producer is destroyed first).
    KafkaPublisher(ingress::asio::io_context& io, KafkaProducer& producer, connection::Deadlines& deadlines,
                   const Clock& clock, std::function<void(const dedup::Marker&)> late_ack);

    [[nodiscard]] ingress::Task<Published> publish(Record record, SteadyTime answer_by) override;

private:
    KafkaProducer& producer_;
    connection::Deadlines& deadlines_;
    const Clock& clock_;
    ReportQueue reports_;
};

}  // namespace sluice::publish
