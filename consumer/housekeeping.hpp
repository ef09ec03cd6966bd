#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "common/kafka/topic_facts.hpp"
#include "common/log.hpp"
#include "common/metrics.hpp"
#include "common/readiness.hpp"
#include "consumer/config.hpp"

namespace sluice::consumer {

/// A thread beside the path: the inbox's retention and stale claims every hour (under a named lock, any
/// number of processes may try), and a look every ten seconds at whether the topic is still the one we
/// started with and the DLQ topic is there.
class Housekeeping {
public:
    /// `client` is used for questions only. All outlive the object.
    Housekeeping(const Config& config, rd_kafka_t& client, kafka::TopicFacts facts, Log& log,
                 Metrics& metrics, Readiness& readiness, const Clock& clock);
    ~Housekeeping();  ///< waits for what is under way

    /// Set once the topic was deleted and made anew (offsets and claims of the old one mean nothing any more)
    /// or its keys are spread over more partitions than before: the process has to start over.
    [[nodiscard]] bool topic_has_changed() const noexcept { return changed_; }

private:
    void run(const std::stop_token& stop);
    void tend_inbox();
    void look_at_topic();
    void look_at_dlq_topic();

    const Config& config_;
    rd_kafka_t& client_;
    kafka::TopicFacts facts_;
    Log& log_;
    Readiness& readiness_;
    const Clock& clock_;
    Gauge& days_ahead_;
    Counter& failures_;
    std::atomic<bool> changed_ = false;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace sluice::consumer
