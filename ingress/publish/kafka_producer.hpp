#pragma once

#include <array>
#include <atomic>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "common/clock.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/program.hpp"
#include "common/telemetry/readiness.hpp"
#include "ingress/publish/partition_queue.hpp"
#include "ingress/publish/producer_client.hpp"
#include "ingress/publish/report_queue.hpp"
#include "ingress/publish/report_watch.hpp"

namespace sluice::publish {

/// The process's one producer: the records of all io_contexts and one queue per partition. It exists once
/// the topics are known, and its own thread recreates it when librdkafka calls an error fatal or
/// the topics change under it; meanwhile everything is `unavailable`. The io_context that was attached first
/// serves librdkafka's reports for all of them.
///
/// Destroyed before any io_context and after they have stopped running.
class KafkaProducer final : private ProducerEvents {
public:
    KafkaProducer(const config::KafkaSettings& settings, const Clock& clock, Log& log, Metrics& metrics,
                  Readiness& readiness, const Program& program = ingress_program);
    /// Before any topics: without Kafka it is degraded from the start, as TopicReadiness::expect_outage has
    /// it.
    void expect_outage();
    ~KafkaProducer() override;

    /// Before the first `send` of a record that waits in it, and before its io_context runs.
    void attach(ReportQueue& reports);
    /// What the topics are like now. Any thread.
    void adopt(const Topics& topics);

    /// On its way (the delivery will come back through its reports in any case), or why not: then nothing
    /// was sent. Any thread; does not block on the network.
    [[nodiscard]] std::expected<void, Published> send(const Record& record,
                                                      std::unique_ptr<Delivery> delivery,
                                                      SteadyTime::duration within, SteadyTime now);

    /// The most bytes (size_of) that a topic takes; nullopt while that is not known. Any thread.
    [[nodiscard]] std::optional<std::size_t> largest_record(Topic topic);

    /// Whether everything that was sent has its report inside `within`.
    [[nodiscard]] bool flush(Milliseconds within);

private:
    struct TopicState {
        std::vector<std::unique_ptr<PartitionQueue>> queues;
        std::int32_t partitions = 0;
        std::size_t max_record = 0;
    };

    void reported(const rd_kafka_message_t& message) noexcept override;
    void say_unusable(std::string why);
    void failed_fatally(std::string why) noexcept override;
    Log& log() noexcept override { return log_; }

    void run();
    void serve_reports();
    void follow_topics();
    void open(const Topics& topics);
    void close_producer();
    void settle_reports();
    void settle(std::size_t first, std::size_t last);
    void release(std::vector<std::unique_ptr<Delivery>>& done);
    void hand_over();
    [[nodiscard]] rd_kafka_topic_t& handle_of(Topic topic) const;
    [[nodiscard]] TopicState& state_of(Topic topic) { return topics_[static_cast<std::size_t>(topic)]; }

    const config::KafkaSettings& settings_;
    const Program program_;
    const Clock& clock_;
    Log& log_;
    Readiness& readiness_;
    Gauge& queued_gauge_;
    Counter& fatal_counter_;

    std::mutex wanted_mutex_;
    std::optional<Topics> wanted_;  // adopted, not yet followed

    std::shared_mutex mutex_;  // exclusive: the producer or the topics change
    std::unique_ptr<ProducerClient> producer_;
    std::array<TopicState, topic_count> topics_;
    std::vector<ReportQueue*> report_queues_;

    std::optional<Topics> followed_;           // the own thread's, as are the next two
    std::unique_ptr<ProducerClient> warming_;  // for these topics, and without their metadata so far
    SteadyTime try_again_at_{};
    std::atomic<bool> fatal_{false};
    std::atomic<bool> was_ready_{false};
    // Of the io_context that serves reports while it holds `mutex_` and there is a producer; of the own
    // thread once it has taken the producer away.
    std::vector<std::unique_ptr<Delivery>> reports_;
    ReportWatch watch_;

    std::atomic<std::int64_t> queued_bytes_{0};
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

}  // namespace sluice::publish
