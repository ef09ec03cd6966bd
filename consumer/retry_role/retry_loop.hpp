#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/group/backpressure.hpp"
#include "consumer/group/group_metrics.hpp"
#include "consumer/group/lag_gauges.hpp"
#include "consumer/retry_role/due_queue.hpp"
#include "consumer/retry_role/retry_offsets.hpp"
#include "consumer/retry_role/retry_worker.hpp"

namespace sluice::consumer {

/// A topic of the retry role. Place::topic is its index in the loop's list.
struct RetryTopic {
    std::string name;
    RecordKind records = RecordKind::wakeup;
    Milliseconds delay{};  ///< of its records, at most; zero: every record is due at once
};

/// The member of the group `<group>.retry`: polls one record at a time and hands it, once it is due, to the
/// worker of its key. A record that is not due is kept and its partition paused, so that no other partition
/// waits for it. Stores what is finished, carries out rebalances. The only thread that talks to the group;
/// eager assignor, no batch API, as PollLoop.
class RetryLoop {
public:
    struct Settings {
        std::vector<RetryTopic> topics;
        std::size_t buffer_bytes = 8 << 20;  ///< handed out and not finished
    };

    /// Throws config::Refused where the Kafka settings cannot be used.
    RetryLoop(const config::KafkaSettings& kafka, Settings settings, RetryOffsets& offsets, Log& log,
              Metrics& metrics, Readiness& readiness, const Clock& clock);
    ~RetryLoop();

    /// For questions about the topics, before `start` too.
    [[nodiscard]] rd_kafka_t& client() noexcept { return *client_; }

    /// Joins the group. The workers outlive the loop's last `turn`.
    void start(std::vector<std::unique_ptr<RetryWorker>>& workers);
    /// One record, or what is due, or 50 ms: whichever is first.
    void turn();
    /// The workers are stopped: stores what they finished, leaves the group.
    void leave();

    /// Why the process has to end; empty while it need not.
    [[nodiscard]] const std::string& fatal() const noexcept { return fatal_; }
    /// When `turn` last returned, for /livez.
    [[nodiscard]] SteadyTime last_turn() const noexcept { return last_turn_; }

private:
    static void on_rebalance(rd_kafka_t*, rd_kafka_resp_err_t code, rd_kafka_topic_partition_list_t* list,
                             void* self);
    void assigned(rd_kafka_topic_partition_list_t& list);
    void revoked();
    void store_offsets();
    void commit_now();

    void take(kafka::Message message);
    void failed(const rd_kafka_message_t& message);
    void receive(kafka::Message message);
    [[nodiscard]] WallTime read(Touch& touch);
    void keep(Touch touch, SteadyTime until);
    void give(Touch touch);
    void give_due();
    void apply_backpressure();
    void set_paused(bool paused);
    void set_paused(const std::vector<Place>& places, bool paused);
    [[nodiscard]] std::optional<std::size_t> index_of(std::string_view topic) const;
    [[nodiscard]] std::vector<Place> assigned_places() const;
    void export_lag();

    Settings settings_;
    RetryOffsets& offsets_;
    Log& log_;
    Readiness& readiness_;
    const Clock& clock_;
    Counter& polls_;
    Counter& refused_;
    Gauge& kept_;
    GroupMetrics group_;
    Backpressure backpressure_;
    DueQueue due_;
    std::shared_ptr<std::atomic<std::size_t>> bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
    kafka::Client client_;
    std::vector<std::unique_ptr<RetryWorker>>* workers_ = nullptr;
    SteadyTime next_chores_{};
    std::atomic<SteadyTime> last_turn_{};
    LagGauges lag_gauges_;
    std::string fatal_;
};

}  // namespace sluice::consumer
