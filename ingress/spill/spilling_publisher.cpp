#include "ingress/spill/spilling_publisher.hpp"

#include <algorithm>
#include <utility>

#include "ingress/publish/outgoing.hpp"
#include "ingress/spill/spilled_record.hpp"

namespace sluice::spill {

using publish::Published;

SpillingPublisher::SpillingPublisher(ingress::asio::io_context& io, std::unique_ptr<publish::Publisher> kafka,
                                     Journal& journal, Backlog& backlog, connection::Deadlines& deadlines,
                                     const Clock& clock, LargestRecord largest, bool kafka_was_there,
                                     SpillMetrics& metrics)
    : io_{io},
      kafka_{std::move(kafka)},
      journal_{journal},
      backlog_{backlog},
      deadlines_{deadlines},
      clock_{clock},
      largest_{std::move(largest)},
      kafka_was_there_{kafka_was_there},
      metrics_{metrics} {}

ingress::Task<Published> SpillingPublisher::publish(publish::Record record, SteadyTime answer_by) {
    // Now: what the record points to is the caller's again once this has suspended.
    const publish::Topic topic = record.topic;
    const std::size_t size = publish::size_of(record);
    const KeyHash key = std::hash<std::string_view>{}(record.key);
    auto entry = std::make_shared<Entry>(payload_of(record), Backlog::bucket_of(key), io_);
    auto turn = turns_.take(key);

    Published published = Published::unavailable;
    if (!backlog_.holds(entry->bucket)) published = co_await kafka_->publish(record, ask_until(answer_by));
    if (published == Published::stored || published == Published::too_large) co_return published;
    const bool is_in_time = co_await turn.comes(deadlines_, answer_by);
    if (!is_in_time) {
        metrics_.refused_slow.Increment();
        co_return published;
    }
    if (const auto refused = refusal_of(topic, size)) co_return *refused;
    journal_.append(entry);
    turn.end();
    const Kept kept = co_await await_journal(entry, answer_by);
    co_return kept == Kept::safe ? Published::spilled : published;
}

SteadyTime SpillingPublisher::ask_until(SteadyTime answer_by) const {
    const SteadyTime::duration left = answer_by - clock_.steady();
    const SteadyTime::duration least = std::min<SteadyTime::duration>(least_for_the_disk, left / 2);
    return answer_by - std::clamp<SteadyTime::duration>(left / 4, least, most_for_the_disk);
}

/// What its topic never takes would stay in the journal, and everything of its key behind it.
std::optional<Published> SpillingPublisher::refusal_of(publish::Topic topic, std::size_t size) {
    const auto most = largest_(topic);
    if (!most && !kafka_was_there_) return Published::unavailable;
    if (size <= most.value_or(cautious_record)) return std::nullopt;
    metrics_.refused_too_large.Increment();
    return most ? Published::too_large : Published::unavailable;
}

ingress::Task<Kept> SpillingPublisher::await_journal(std::shared_ptr<Entry> entry, SteadyTime answer_by) {
    connection::Deadline deadline{deadlines_, [&](bool again) {
                                      if (!again && !entry->kept) entry->waiter.wake();
                                  }};
    deadline.set(answer_by - connection::Deadlines::tick);
    co_await entry->waiter.wait();
    const Kept kept = entry->kept.value_or(Kept::late);
    if (kept == Kept::late) metrics_.refused_slow.Increment();
    if (kept == Kept::full) metrics_.refused_full.Increment();
    if (kept == Kept::broken) metrics_.refused_broken.Increment();
    co_return kept;
}

}  // namespace sluice::spill
