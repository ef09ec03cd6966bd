#pragma once

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/kafka/topic_facts.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/metrics.hpp"
#include "common/telemetry/readiness.hpp"

namespace sluice::consumer {

/// A topic that a role depends on.
struct GuardedTopic {
    std::string name;
    std::string concern;  ///< of readiness
    /// As the role's work began. Its offsets, applied ones too, mean nothing for a recreated topic.
    std::optional<kafka::TopicFacts> at_start{};
    std::optional<int> pinned_partitions{};  ///< kafka.partitions, where keys are spread over the topic
};

/// A thread that checks the topics of a role every ten seconds. A topic that is missing, or whose settings
/// lose unread records, makes the process unready; the role reads on, since what is read cannot be lost any
/// more. A topic that was recreated, or whose keys are spread over another number of partitions, ends the
/// role.
class TopicGuard {
public:
    /// `client` is used for questions only. All outlive the object.
    TopicGuard(rd_kafka_t& client, std::vector<GuardedTopic> topics, Log& log, Metrics& metrics,
               Readiness& readiness);
    ~TopicGuard();  ///< waits for what is under way

    /// The role has to start over.
    [[nodiscard]] bool topic_has_changed() const noexcept { return changed_; }

private:
    void run(const std::stop_token& stop);
    void look_at(const GuardedTopic& topic);
    void say(const GuardedTopic& topic, const std::string& why);
    void export_retention(const GuardedTopic& topic, const kafka::TopicFacts& facts);
    void compare(const GuardedTopic& topic, const kafka::TopicFacts& now);

    rd_kafka_t& client_;
    const std::vector<GuardedTopic> topics_;
    Log& log_;
    Metrics& metrics_;
    Readiness& readiness_;
    std::map<std::string, std::string> said_;  // by topic: what was last said of its settings
    std::atomic<bool> changed_ = false;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: starts when all else is there
};

}  // namespace sluice::consumer
