#include "ingress/publish/kafka_publisher.hpp"

#include "common/failpoint.hpp"

namespace sluice::publish {

KafkaPublisher::KafkaPublisher(ingress::asio::io_context& io, KafkaProducer& producer,
                               connection::Deadlines& deadlines, const Clock& clock,
                               std::function<void(const dedup::Marker&)> late_ack)
    : producer_{producer}, deadlines_{deadlines}, clock_{clock}, reports_{io, std::move(late_ack)} {
    producer_.attach(reports_);
}

ingress::Task<Published> KafkaPublisher::publish(Record record, SteadyTime answer_by) {
    // A deadline is noticed up to a tick late, and the answer must not be.
    const SteadyTime give_up_at = answer_by - connection::Deadlines::tick;
    const SteadyTime now = clock_.steady();
    if (now >= give_up_at) co_return Published::shed;

    Awaited awaited;
    auto delivery = std::make_unique<Delivery>(&reports_, record.marker, &awaited);
    Delivery* const in_flight = delivery.get();  // lives until its report was handled, on this thread
    const auto sent = producer_.send(record, std::move(delivery), give_up_at - now, now);
    if (!sent) co_return sent.error();
    if (FP("ingress.after_produce")) {
        in_flight->awaited = nullptr;
        co_return Published::not_acked;
    }
    connection::Deadline deadline{deadlines_, [&](bool again) {
                                      // Woken already: the delivery is gone, or may be.
                                      if (again || awaited.outcome) return;
                                      in_flight->awaited = nullptr;
                                      awaited.waiter.wake();
                                  }};
    deadline.set(give_up_at);
    co_await awaited.waiter.wait();
    co_return awaited.outcome.value_or(Published::not_acked);
}

}  // namespace sluice::publish
