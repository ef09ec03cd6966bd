#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "ingress/connection/deadlines.hpp"
#include "ingress/publish/kafka_producer.hpp"
#include "ingress/publish/publisher.hpp"
#include "ingress/spill/journal.hpp"
#include "ingress/spill/spill_drain.hpp"
#include "ingress/spill/spilling_publisher.hpp"

namespace sluice::spill {

/// The journal, its drain and their threads. Outlives the producer and everything that publishes through it;
/// `stop` comes before either goes.
class Spill {
public:
    using Confirm = std::function<void(const dedup::Marker&)>;

    /// Holds the folder. Throws config::Refused: see Folder. Everything given outlives it.
    Spill(const config::SpillSettings& settings, const Clock& clock, Log& log, Metrics& metrics);
    ~Spill() { stop(); }
    Spill(const Spill&) = delete;
    Spill& operator=(const Spill&) = delete;

    /// An earlier process left records: Kafka was there for it, and may be away.
    [[nodiscard]] bool found_any() const noexcept { return found_any_; }

    /// A publisher of one io_context, over its own way into Kafka.
    [[nodiscard]] std::unique_ptr<publish::Publisher> over(std::unique_ptr<publish::Publisher> kafka,
                                                           ingress::asio::io_context& io,
                                                           connection::Deadlines& deadlines,
                                                           publish::KafkaProducer& producer);
    /// Once, when all others are attached to the producer. `confirm` and `needs_originals` are called on the
    /// drain's thread.
    void connect(publish::KafkaProducer& producer, Confirm confirm, std::function<void()> needs_originals);

    void start();
    /// What waits for the disk is written first.
    void stop();

    /// Waits while records leave for Kafka, `within` at most; how many are left.
    [[nodiscard]] std::size_t finish(Milliseconds within);

private:
    [[nodiscard]] ingress::Task<void> tick();
    /// Of the journal; 1 where it is not known that there are none.
    [[nodiscard]] std::size_t records() const;

    const Clock& clock_;
    Log& log_;
    SpillMetrics metrics_;
    Folder folder_;
    Backlog backlog_;
    Journal journal_;
    bool found_any_;

    std::atomic<bool> is_stopping_{false};
    connection::Deadlines deadlines_;                                      // the drain's, as are the next
    ingress::asio::io_context io_{BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO};  // no other thread touches its I/O
    std::unique_ptr<publish::Publisher> publisher_;
    std::unique_ptr<SpillDrain> drain_;
    std::thread thread_;
};

}  // namespace sluice::spill
