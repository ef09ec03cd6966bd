#include "consumer/process/topic_guard.hpp"

#include <limits>
#include <utility>

#include "common/kafka/error.hpp"
#include "common/thread_name.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds between_looks{10};
constexpr std::chrono::milliseconds look_within{5000};

}  // namespace

TopicGuard::TopicGuard(rd_kafka_t& client, std::vector<GuardedTopic> topics, Log& log, Metrics& metrics,
                       Readiness& readiness)
    : client_{client},
      topics_{std::move(topics)},
      log_{log},
      metrics_{metrics},
      readiness_{readiness},
      thread_{[this](const std::stop_token& stop) { run(stop); }} {}

TopicGuard::~TopicGuard() = default;

void TopicGuard::run(const std::stop_token& stop) {
    name_this_thread("topic-guard");
    while (!stop.stop_requested()) {
        for (const auto& topic : topics_) {
            if (!stop.stop_requested()) look_at(topic);
        }
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, between_looks, [] { return false; });
    }
}

void TopicGuard::look_at(const GuardedTopic& topic) {
    const auto facts = kafka::read_topic_facts(client_, topic.name, look_within);
    if (facts) {
        say(topic, kafka::losing_setting(*facts, topic.name));
        export_retention(topic, *facts);
        return compare(topic, *facts);
    }
    const bool missing = facts.error() == kafka::make_error(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
    readiness_.set_unready(topic.concern, "topic " + topic.name +
                                              (missing ? " does not exist: run `sluicectl topics --apply`"
                                                       : ": " + facts.error().message()));
}

void TopicGuard::say(const GuardedTopic& topic, const std::string& why) {
    if (why.empty()) {
        readiness_.set_ready(topic.concern);
    } else {
        readiness_.set_unready(topic.concern, why);
    }
    if (std::exchange(said_[topic.name], why) != why && !why.empty())
        log_.error("topic_loses_events", {{"reason", why}});
}

void TopicGuard::export_retention(const GuardedTopic& topic, const kafka::TopicFacts& facts) {
    if (facts.hides("retention.ms")) return;
    constexpr double for_ever = std::numeric_limits<double>::infinity();
    metrics_
        .gauge("sluice_consumer_retention_seconds", "How long Kafka keeps records of the topic",
               {{"topic", topic.name}})
        .Set(facts.retention_ms < 0 ? for_ever : static_cast<double>(facts.retention_ms) / 1000);
}

void TopicGuard::compare(const GuardedTopic& topic, const kafka::TopicFacts& now) {
    if (!topic.at_start) return;
    if (now.topic_id != topic.at_start->topic_id) {
        if (!changed_.exchange(true))
            log_.error("topic_replaced",
                       {{"reason", "topic " + topic.name + " was deleted and created again"}});
        return;
    }
    if (!topic.pinned_partitions) return;
    const int before = kafka::spread_of(*topic.at_start, *topic.pinned_partitions);
    const int spread = kafka::spread_of(now, *topic.pinned_partitions);
    if (spread != before && !changed_.exchange(true))
        log_.error("partitions_changed", {{"reason", kafka::spread_changed(topic.name, before, spread)}});
}

}  // namespace sluice::consumer
