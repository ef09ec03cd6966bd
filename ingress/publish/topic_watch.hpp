#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "common/config/settings/connections.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/program.hpp"
#include "common/telemetry/readiness.hpp"
#include "ingress/publish/producer_client.hpp"
#include "ingress/publish/topic_readiness.hpp"

namespace sluice::publish {

/// Looks at the topics, every five seconds, every second while something is wrong. Readiness says what is
/// wrong and where (no broker, wrong password, topic missing, replication or min.insync below configuration)
/// and comes back by itself; TopicReadiness has the rule. More partitions than at first are not used by this
/// process: keys stay where they are. Has its own client and thread.
class TopicWatch {
public:
    /// Called on the watch's thread after each look: with the topics when they can be used, without when
    /// one of them is known not to exist or Kafka is away, which may come back without its records. Not
    /// called when nothing new is known.
    using OnTopics = std::function<void(const std::optional<Topics>&)>;

    /// `wants_originals`: whether some source needs that topic, now or later; outlives this.
    /// `expects_outage`: TopicReadiness::expect_outage.
    TopicWatch(const config::KafkaSettings& settings, Log& log, Metrics& metrics, Readiness& readiness,
               const std::atomic<bool>& wants_originals, OnTopics on_topics,
               const Program& program = ingress_program, bool expects_outage = false);
    ~TopicWatch();

private:
    void run();
    [[nodiscard]] bool look();
    [[nodiscard]] bool look_at(const std::string& name, kafka::TopicFacts& facts);
    void say_hidden(const std::string& sentence);
    void keep_spread(kafka::TopicFacts& events);
    static void on_error(rd_kafka_t* client, int code, const char* reason, void* opaque);

    const config::KafkaSettings& settings_;
    Log& log_;
    Gauge& partitions_changed_;
    TopicReadiness readiness_;
    const std::atomic<bool>& wants_originals_;
    OnTopics on_topics_;
    kafka::Client client_;
    std::string last_error_;  // the watch's thread: librdkafka calls back while it polls
    std::set<std::string> said_hidden_;
    std::optional<kafka::TopicFacts> first_seen_;  // the events' topic
    std::mutex mutex_;
    std::condition_variable stop_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace sluice::publish
