#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "common/clock.hpp"
#include "ingress/connection/deadlines.hpp"
#include "ingress/publish/publisher.hpp"
#include "ingress/spill/journal.hpp"
#include "ingress/spill/turns.hpp"

namespace sluice::spill {

/// The most bytes (publish::size_of) that a topic takes; nullopt while it is not known.
using LargestRecord = std::function<std::optional<std::size_t>(publish::Topic)>;

/// Into Kafka, and what Kafka does not acknowledge in time into the journal. One per io_context, used by its
/// coroutines only.
class SpillingPublisher final : public publish::Publisher {
public:
    /// Where the topic's limit is not known: what Kafka has for a topic that says nothing
    /// (message.max.bytes).
    static constexpr std::size_t cautious_record = 1'048'588;
    /// A quarter of the time that is left for an answer, within these, and half of it at most; the rest is
    /// Kafka's.
    static constexpr std::chrono::milliseconds least_for_the_disk{300};
    static constexpr std::chrono::milliseconds most_for_the_disk{1'000};

    /// Everything given outlives it. `largest` is called on its thread. `kafka_was_there`: before this
    /// process began; else nothing is spilled until the topic's limit is known, which only Kafka tells.
    SpillingPublisher(ingress::asio::io_context& io, std::unique_ptr<publish::Publisher> kafka,
                      Journal& journal, Backlog& backlog, connection::Deadlines& deadlines,
                      const Clock& clock, LargestRecord largest, bool kafka_was_there, SpillMetrics& metrics);

    /// `spilled` may be answered with success as well as `stored`. A record whose key has older ones in the
    /// journal is not offered to Kafka. Records of a key come into the journal in the order of these calls.
    [[nodiscard]] ingress::Task<publish::Published> publish(publish::Record record,
                                                            SteadyTime answer_by) override;

private:
    [[nodiscard]] SteadyTime ask_until(SteadyTime answer_by) const;
    [[nodiscard]] std::optional<publish::Published> refusal_of(publish::Topic topic, std::size_t size);
    [[nodiscard]] ingress::Task<Kept> await_journal(std::shared_ptr<Entry> entry, SteadyTime answer_by);

    ingress::asio::io_context& io_;
    std::unique_ptr<publish::Publisher> kafka_;
    Journal& journal_;
    Backlog& backlog_;
    connection::Deadlines& deadlines_;
    const Clock& clock_;
    LargestRecord largest_;
    const bool kafka_was_there_;
    SpillMetrics& metrics_;
    Turns turns_;
};

}  // namespace sluice::spill
