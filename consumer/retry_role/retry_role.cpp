#include "consumer/retry_role/retry_role.hpp"

#include <algorithm>

#include "common/crypto/random.hpp"
#include "common/operations/drain_limit.hpp"
#include "common/wait_or_stop.hpp"
#include "consumer/command/execute/commands.hpp"
#include "consumer/command/execute/kafka_originals.hpp"
#include "consumer/lane/rules/retry_delays.hpp"
#include "consumer/process/key_agreement.hpp"
#include "consumer/process/startup.hpp"
#include "consumer/quarantine/quarantine_work.hpp"
#include "consumer/retry_role/arrival_watch.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds retry_stuck_after{60};

std::vector<RetryTopic> topics_of(const Process& process) {
    std::vector<RetryTopic> topics;
    topics.reserve(lane::tiers.size() + 1);
    for (std::size_t i = 0; i < lane::tiers.size(); ++i) {
        topics.push_back({process.rules.retry_topics[i], RecordKind::wakeup, lane::delay_of(lane::tiers[i])});
    }
    topics.push_back({process.config.kafka.command_topic, RecordKind::command});
    return topics;
}

// The wakeup topics may lose anything: the sweeper knows what is due.
std::vector<GuardedTopic> guarded_retry_topics(const config::KafkaSettings& kafka,
                                               const kafka::TopicFacts& commands,
                                               const kafka::TopicFacts& quarantine) {
    return {{kafka.command_topic, "commands", commands}, {kafka.quarantine_topic, "quarantine", quarantine}};
}

std::vector<std::string> names_of(const std::vector<RetryTopic>& topics, const config::KafkaSettings& kafka) {
    std::vector<std::string> names;
    names.reserve(topics.size() + 1);
    for (const auto& topic : topics) names.push_back(topic.name);
    names.push_back(kafka.quarantine_topic);
    return names;
}

LogReader::Settings quarantine_settings(const config::KafkaSettings& kafka) {
    return {.role = "quarantine",
            .concern = "quarantine_group",
            .client_id = "sluice-consumer-quarantine",
            .group = kafka.group + ".retry",
            .assignors = "range",
            .topic = kafka.quarantine_topic,
            .buffer_bytes = 8 << 20};
}

}  // namespace

RetryRole::RetryRole(Process& process, webhook::SourceSet sources, command::Operators operators)
    : process_{process},
      sources_{std::move(sources)},
      originals_{kafka_originals(process.config.kafka, process.clock, process.log)},
      authenticity_{sources_, originals_.get()},
      operators_{std::move(operators)},
      topics_{topics_of(process)},
      loop_{process.config.kafka, topics_,           partitions_,           process.log,
            process.metrics,      process.readiness, process.database_clock},
      quarantine_{process, quarantine_settings(process.config.kafka)} {
    Quarantine::export_counters(process_.metrics);
    (void)keys_changed_gauge(process_.metrics);
    process_.readiness.expect("retry_group", "not in the group yet");
    process_.readiness.expect("mysql", "not connected yet");
    process_.readiness.expect("keys", "not looked at yet");
    process_.readiness.expect("commands", "not looked at yet");
    process_.readiness.expect("quarantine", "not looked at yet");
    process_.readiness.expect("effects_revision", "not looked at yet");
    export_effects_gauges(process_.metrics);
}

int RetryRole::run(const std::stop_token& stop) {
    const WaitOrStop wait = [&](Milliseconds time) { return wait_or_stop(stop, time); };
    if (!wait_for_database(process_, wait)) return 0;
    if (!wait_for_keys(process_.config, process_.clock, process_.log, process_.metrics, process_.readiness,
                       wait))
        return 0;
    const auto topics = names_of(topics_, process_.config.kafka);
    const auto facts = wait_for_topics(process_.config, topics, loop_.client(), process_.log,
                                       process_.readiness, "retry_group", wait);
    EffectsMemory memory{process_.config.effects.version()};
    if (!facts || !wait_for_effects(process_, memory, wait)) return 0;
    const kafka::TopicFacts& commands = facts->at(lane::tiers.size());  // the order of names_of
    start_workers(commands);
    loop_.start(takers_of(workers_));
    start_quarantine(facts->back().topic_id);
    if (process_.config.callbacks.recorded) callbacks_.emplace(process_);
    polling_ = true;
    std::optional<DrainLimit> limit;  // outlives the threads below
    const TopicGuard guard{loop_.client(),
                           guarded_retry_topics(process_.config.kafka, commands, facts->back()), process_.log,
                           process_.metrics, process_.readiness};
    const EffectsGuard effects{process_, memory};
    std::optional<ArrivalWatch> arrivals;
    if (const int pod_rate = process_.config.consumer.pod_rate; pod_rate > 0)
        arrivals.emplace(
            ArrivalGauges{loop_.client(), process_.config.kafka, pod_rate, process_.log, process_.metrics},
            process_.clock);
    const int status = serve(stop, guard, effects);
    limit.emplace(process_.config.consumer.drain_within, process_.log, "consumer.drain_within");
    drain();
    return status;
}

LaneContext RetryRole::lane_context() const {
    return {.rules = process_.rules,
            .decisions = process_.decisions,
            .publisher = *process_.publisher,
            .budget = process_.budget,
            .readiness = process_.readiness,
            .clock = process_.database_clock,
            .effects_grace = process_.config.consumer.effects_grace,
            .watch = &process_.statement_watch,
            .moves = &process_.server_moves};
}

void RetryRole::start_workers(const kafka::TopicFacts& commands_topic) {
    const Config& config = process_.config;
    const LaneContext context = lane_context();
    const std::string instance = crypto::random_hex(8);
    authority_.emplace(operators_, command::Place{commands_topic.topic_id, config.kafka.group});
    if (operators_.keys.empty())
        process_.log.warn("commands_unsigned",
                          {{"reason", "operators.keys is empty: anyone who can write to " +
                                          config.kafka.command_topic + " can skip or edit any event"}});
    for (int i = 0; i < config.consumer.workers; ++i) {
        auto commands =
            std::make_unique<Commands>(context, authenticity_, *authority_, process_.log, process_.metrics);
        workers_.push_back(std::make_unique<Worker>(
            "retry-worker", partitions_,
            std::make_unique<LaneWork>(instance + "-" + std::to_string(i), topics_, context, partitions_,
                                       config.mysql, std::move(commands), process_.log)));
    }
    sweeper_.emplace(config.mysql, context, config.consumer.lane_keep, process_.log, process_.metrics);
}

void RetryRole::start_quarantine(const std::string& topic_id) {
    const config::KafkaSettings& kafka = process_.config.kafka;
    quarantine_.start([&](Partitions& partitions) {
        OffsetWriter writer{kafka.group, topic_id, crypto::random_hex(8) + "-quarantine",
                            kafka.quarantine_topic};
        return std::make_unique<QuarantineWork>(std::move(writer), lane_context(), partitions,
                                                process_.config.mysql, process_.log, process_.metrics);
    });
}

int RetryRole::serve(const std::stop_token& stop, const TopicGuard& guard, const EffectsGuard& effects) {
    while (!stop.stop_requested()) {
        loop_.turn();
        if (guard.topic_has_changed() || effects.is_overtaken() || quarantine_.has_failed()) return 1;
        if (loop_.fatal().empty()) continue;
        process_.log.error("fatal", {{"reason", loop_.fatal()}});
        return 1;
    }
    return 0;
}

void RetryRole::drain() {
    process_.log.info("retry_draining", {});
    process_.readiness.set_unready("retry_group", "draining");
    for (const auto& worker : workers_) worker->ask_stop();
    if (callbacks_) callbacks_->ask_stop();
    sweeper_.reset();
    quarantine_.stop();
    for (const auto& worker : workers_) worker->stop();
    loop_.leave();
    callbacks_.reset();
    process_.log.info("retry_stopped", {});
}

bool RetryRole::alive() const {
    if (!polling_) return true;
    const SteadyTime oldest =
        std::min(loop_.last_turn(), quarantine_.last_turn().value_or(SteadyTime::max()));
    return process_.clock.steady() - oldest < retry_stuck_after;
}

}  // namespace sluice::consumer
