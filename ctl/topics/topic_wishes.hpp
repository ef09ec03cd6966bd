#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/config/problems.hpp"
#include "common/config/settings/connections.hpp"

namespace sluice::ctl {

/// A topic as it should be.
struct TopicWish {
    std::string
        role;  ///< main, quarantine, originals, callbacks, dlq, retry, commands, hot; destination of no file
    std::string name;
    int partitions = 1;
    bool as_main = true;                ///< the main topic itself, or one with as many partitions
    bool partitions_asked_for = false;  ///< by the operator; else they only count when the topic is made
    bool may_have_more = true;  ///< partitions than these; of the main topic only where they are pinned
    int replication = 1;
    int min_insync = 1;
    std::chrono::milliseconds retention{};
    std::int64_t max_message_bytes = 0;
};

/// What says which names the topics have.
struct TopicNames {
    config::KafkaSettings kafka;
    std::string hot{};  ///< of commands of hot accounts; empty: no command has any
    bool has_webhooks = true;
    bool has_callbacks = false;  ///< they are recorded
};

/// Whether the file has sources, or no commands either: without webhooks, sluice-command is all that runs.
[[nodiscard]] bool has_webhooks(const config::Document& document);

/// Of a configuration; problems are those of its section kafka.
[[nodiscard]] TopicNames read_topic_names(const config::Document& document, config::Problems& problems);

/// Reads deploy/kafka/topics.yaml, or a file of the operator's in its form: one wish for each topic that the
/// configuration uses, without webhooks that of hot accounts alone. What is wrong goes to `problems` with its
/// line.
[[nodiscard]] std::vector<TopicWish> read_topic_wishes(const std::string& yaml, const std::string& file,
                                                       const TopicNames& names, config::Problems& problems);

/// What the command line says over the file. `partitions` counts for the main topic and those that are
/// `as_main`.
void override_wishes(std::vector<TopicWish>& wishes, std::optional<int> partitions,
                     std::optional<int> replication);

}  // namespace sluice::ctl
