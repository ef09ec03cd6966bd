#include "ctl/erase/kept_topics.hpp"

#include "ctl/cli/exit.hpp"
#include "ctl/topics/kafka_admin.hpp"

namespace sluice::ctl {

std::vector<ErasedTopic> kept_topics(const config::KafkaSettings& settings) {
    std::vector<ErasedTopic> topics{
        {settings.topic, "each event as it was received", {}},
        {settings.quarantine_topic, "requests that could not be read", {}},
        {settings.originals_topic, "whole deliveries of several events", {}},
        {settings.dlq_topic, "events that could not be applied", {}},
        {settings.command_topic, "operators' commands: reasons, edited bodies", {}}};
    try {
        KafkaAdmin kafka{settings, std::chrono::seconds{5}};
        kafka.reach();
        std::erase_if(topics, [&](ErasedTopic& topic) {
            const auto facts = kafka.facts(topic.name);
            if (facts) topic.retention_ms = facts->retention_ms;
            return !facts;
        });
    } catch (const Stopped&) {
    }
    return topics;
}

}  // namespace sluice::ctl
