#include "ingress/spill/spilling_publisher.hpp"

#include <algorithm>
#include <utility>

#include "ingress/publish/outgoing.hpp"
#include "ingress/spill/spilled_record.hpp"

namespace sluice::spill {

using publish::Published;

SpillingPublisher::SpillingPublisher(ingress::asio::io_context& io, std::unique_ptr<publish::Publisher> kafka,
                                     Journal& journal, Backlog& backlog, connection::Deadlines& deadlines,
                                     const Clock& clock, LargestRecord largest, SpillMetrics& metrics)
    : io_{io},
      kafka_{std::move(kafka)},
      journal_{journal},
      backlog_{backlog},
      deadlines_{deadlines},
      clock_{clock},
      largest_{std::move(largest)},
      metrics_{metrics} {}

ingress::Task<Published> SpillingPublisher::publish(publish::Record record, SteadyTime answer_by) {
    // Now: what the record points to is the caller's again once this has suspended.
    const publish::Topic topic = record.topic;
    const std::size_t size = publish::size_of(record);
    auto entry =
        std::make_shared<Entry>(payload_of(record, clock_.wall()), Backlog::bucket_of(record.key), io_);

    Published why = Published::unavailable;
    if (!backlog_.holds(entry->bucket)) {
        const SteadyTime::duration left = answer_by - clock_.steady();
        const SteadyTime ask_until = answer_by - std::min<SteadyTime::duration>(most_for_the_disk, left / 4);
        why = co_await kafka_->publish(record, ask_until);
        if (why == Published::stored || why == Published::too_large) co_return why;
    }
    if (const auto most = largest_(topic); size > most.value_or(cautious_record)) {
        // It would stay in the journal for ever, and everything of its key behind it.
        metrics_.refused_too_large.Increment();
        co_return most ? Published::too_large : Published::unavailable;
    }
    const Kept kept = co_await keep(entry, answer_by);
    co_return kept == Kept::safe ? Published::spilled : why;
}

ingress::Task<Kept> SpillingPublisher::keep(std::shared_ptr<Entry> entry, SteadyTime answer_by) {
    connection::Deadline deadline{deadlines_, [&](bool again) {
                                      if (!again && !entry->kept) entry->waiter.wake();
                                  }};
    deadline.set(answer_by - connection::Deadlines::tick);
    journal_.append(entry);
    co_await entry->waiter.wait();
    count_refused(entry->kept);
    co_return entry->kept.value_or(Kept::broken);
}

void SpillingPublisher::count_refused(std::optional<Kept> kept) {
    if (!kept)
        metrics_.refused_slow.Increment();
    else if (*kept == Kept::full)
        metrics_.refused_full.Increment();
    else if (*kept == Kept::broken)
        metrics_.refused_broken.Increment();
}

}  // namespace sluice::spill
