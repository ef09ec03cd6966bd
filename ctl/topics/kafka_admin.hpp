#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "common/config/settings/connections.hpp"
#include "common/kafka/handle.hpp"
#include "common/kafka/topic_facts.hpp"
#include "ctl/topics/topic_wishes.hpp"

namespace sluice::ctl {

/// A client that asks and creates; it neither produces nor joins a group. librdkafka's own log is
/// off: its last complaint is kept for `complaint`. Blocking, one thread.
class KafkaAdmin {
public:
    explicit KafkaAdmin(const config::KafkaSettings& settings,
                        std::chrono::milliseconds patience = std::chrono::seconds{10});

    /// Throws Stopped(unreachable) when no broker answers.
    void reach();
    /// nullopt: there is no such topic. Throws Stopped for everything else.
    [[nodiscard]] std::optional<kafka::TopicFacts> facts(const std::string& topic);
    /// Members of a consumer group; 0 also where there never was such a group. Throws Stopped.
    [[nodiscard]] int members(const std::string& group);
    /// Throws Stopped with the broker's words. A topic that has come into being meanwhile is fine.
    void create(const TopicWish& wish);

    /// "Kafka at a:9092,b:9092: <the last thing librdkafka said>"
    [[nodiscard]] std::string complaint(const std::string& otherwise) const;

private:
    std::string brokers_;
    std::chrono::milliseconds patience_;
    std::unique_ptr<std::string> last_error_;  // on the heap: the client keeps its address
    kafka::Client client_;
};

}  // namespace sluice::ctl
