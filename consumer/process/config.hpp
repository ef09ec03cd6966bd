#pragma once

#include <string>
#include <vector>

#include "common/config/section.hpp"
#include "common/config/settings/connections.hpp"
#include "common/config/settings/log_settings.hpp"
#include "common/config/settings/tracing_settings.hpp"
#include "common/webhook/recipe/source.hpp"
#include "consumer/destination/destination.hpp"
#include "consumer/effects/effect_set/effect_set.hpp"
#include "consumer/lane/rules/budget.hpp"

namespace sluice::consumer {

/// The optional `consumer:` section.
struct ConsumerSettings {
    int workers = 0;  ///< threads with a MySQL connection each; 0: auto, twice the usable CPUs, at least 4
    int batch = 300;  ///< events per transaction at most
    Milliseconds drain_within{20'000};  ///< after SIGTERM
    Milliseconds in_place{2'000};  ///< a failing event is tried in memory for so long, before its lane has it
    Milliseconds effects_grace{10 * 60'000};  ///< an effect that an event is bound to may be missing so long
    Milliseconds lane_keep{std::chrono::hours{24}};  ///< lanes without an unfinished event are kept so long
    lane::BudgetSettings dead_letter_budget;
    int pod_rate = 0;  ///< events per second that one pod is to apply, for autoscalers; 0: not told
    std::int64_t buffer_bytes = 64 << 20;  ///< records read ahead of the workers
};

/// Everything sluice-consumer reads.
struct Config {
    config::OperationsSettings operations;
    config::KafkaSettings kafka;
    config::MysqlSettings mysql;
    config::InboxSettings inbox;
    config::CallbackSettings callbacks;
    ConsumerSettings consumer;
    webhook::SourceSet sources;
    effects::EffectSet effects;
    std::vector<destination::Destination> destinations;
    destination::OutboxSettings outbox{};
    config::LogSettings log;
    config::TracingSettings tracing{};
};

[[nodiscard]] ConsumerSettings read_consumer(const config::Document& document);

/// For a process of this role: consumer, retry or relay. Throws config::Refused with every problem. Warnings
/// are left in `problems`.
[[nodiscard]] Config read_config(const std::string& file, config::OperationsOf role,
                                 config::Problems& problems);

/// The sources of that file with their keys: for the role that verifies stored records again, and no other.
/// Throws as above; warnings that `read_config` has given are given again.
[[nodiscard]] webhook::SourceSet read_sources_with_keys(const std::string& file, config::Problems& problems);

}  // namespace sluice::consumer
