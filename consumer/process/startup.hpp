#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/clock.hpp"
#include "common/kafka/handle.hpp"
#include "common/kafka/topic_facts.hpp"
#include "common/telemetry/log.hpp"
#include "common/telemetry/readiness.hpp"
#include "consumer/process/config.hpp"
#include "consumer/process/process.hpp"

namespace sluice::consumer {

/// Waits between attempts; false: a stop was asked for meanwhile.
using WaitOrStop = std::function<bool(Milliseconds)>;

/// Waits until the database can be used: reachable, migrated, this group's, and the statements of effects
/// prepare. What may be fixed from outside (server down, wrong password) keeps it waiting, with readiness
/// saying what and where; false after a stop. An effect that lacks a table, a column or a right is held and
/// the others go on; where all lack something it waits. Throws config::Refused for what only another
/// configuration can fix: another group's database, a statement with a mistake in it.
[[nodiscard]] bool wait_for_database(Process& process, const WaitOrStop& wait);

/// The same for a role that runs no effects: they are not looked at.
[[nodiscard]] bool wait_for_tables(Process& process, const WaitOrStop& wait);

/// Waits until the topic is there; nullopt after a stop. Throws config::Refused where inbox.keep does not
/// exceed the topic's retention: then a redelivery could come after its inbox row is gone.
[[nodiscard]] std::optional<kafka::TopicFacts> wait_for_topic(const Config& config, rd_kafka_t& client,
                                                              Log& log, Readiness& readiness,
                                                              const WaitOrStop& wait);

/// Waits until all `topics` are there; readiness names the first that is not, under `concern`. In their
/// order; nullopt after a stop.
[[nodiscard]] std::optional<std::vector<kafka::TopicFacts>> wait_for_topics(
    const Config& config, std::span<const std::string> topics, rd_kafka_t& client, Log& log,
    Readiness& readiness, const char* concern, const WaitOrStop& wait);

}  // namespace sluice::consumer
