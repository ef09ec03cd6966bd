#include "command/config/line_settings.hpp"

#include "common/config/settings/hot_topic.hpp"

namespace sluice::command {

LineSettings read_line(const config::Document& document, config::Section& command, bool has_hot,
                       config::Problems& problems) {
    const auto topic = command.text("topic", config::default_hot_topic);
    LineSettings settings{.kafka = {}, .group = command.text("group", "sluice-command")};
    if (!has_hot) return settings;
    settings.kafka = config::read_kafka(document, problems);
    if (topic == settings.kafka.topic || topic == settings.kafka.command_topic)
        command.problem_at("topic",
                           "command.topic must be a topic of its own: " + topic + " has other records");
    settings.kafka.topic = topic;
    settings.kafka.quarantine_topic = topic;
    settings.kafka.partitions = 0;  // that is of webhooks
    return settings;
}

}  // namespace sluice::command
