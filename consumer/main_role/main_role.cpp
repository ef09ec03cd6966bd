#include "consumer/main_role/main_role.hpp"

#include "common/crypto/random.hpp"
#include "common/operations/drain_limit.hpp"
#include "common/wait_or_stop.hpp"
#include "consumer/process/key_agreement.hpp"
#include "consumer/process/partition_spread.hpp"
#include "consumer/process/startup.hpp"

namespace sluice::consumer {
namespace {

constexpr std::chrono::seconds stuck_after{60};

LogReader::Settings loop_settings(const Config& config) {
    // Round robin, so that the used partitions of a topic that was grown are shared out too.
    return {.client_id = "sluice-consumer",
            .group = config.kafka.group,
            .assignors = "roundrobin",
            .topic = config.kafka.topic,
            .buffer_bytes = static_cast<std::size_t>(config.consumer.buffer_bytes)};
}

std::vector<GuardedTopic> guarded_topics(const config::KafkaSettings& kafka,
                                         const kafka::TopicFacts& events) {
    return {{kafka.topic, "topic", events, kafka.partitions}, {kafka.dlq_topic, "dlq"}};
}

}  // namespace

MainRole::MainRole(Process& process)
    : process_{process}, poll_{process.config.kafka, loop_settings(process.config),
                               partitions_,          process.log,
                               process.metrics,      process.readiness,
                               process.clock} {
    process_.readiness.expect("kafka", "not in the group yet");
    process_.readiness.expect("mysql", "not connected yet");
    process_.readiness.expect("keys", "not looked at yet");
    process_.readiness.expect("topic", "not looked at yet");
    process_.readiness.expect("dlq", "not looked at yet");
    process_.readiness.expect("effects_revision", "not looked at yet");
    (void)partitions_changed_gauge(process_.metrics);
    (void)keys_changed_gauge(process_.metrics);
    export_effects_gauges(process_.metrics);
}

int MainRole::run(const std::stop_token& stop) {
    const Config& config = process_.config;
    const WaitOrStop wait = [&](Milliseconds time) { return wait_or_stop(stop, time); };
    if (!wait_for_database(process_, wait)) return 0;
    if (!wait_for_keys(config, process_.clock, process_.log, process_.metrics, process_.readiness, wait))
        return 0;
    const auto facts = wait_for_topic(config, poll_.client(), process_.log, process_.readiness, wait);
    if (!facts) return 0;
    const auto spread = wait_for_partitions(config, poll_.client(), process_.clock, process_.log,
                                            process_.metrics, process_.readiness, wait);
    EffectsMemory memory{config.effects.version()};
    if (!spread || !wait_for_effects(process_, memory, wait)) return 0;
    start_workers(*facts);
    poll_.start(takers_of(workers_), *spread);
    polling_ = true;
    std::optional<DrainLimit> limit;  // outlives the threads below, one of which may wait for a statement
    const ArrivalsWriter arrivals{arrivals_, config.mysql, process_.log, process_.metrics};
    const Housekeeping housekeeping{config, process_.log, process_.metrics, process_.clock};
    const TopicGuard topics{poll_.client(), guarded_topics(config.kafka, *facts), process_.log,
                            process_.metrics, process_.readiness};
    const EffectsGuard effects{process_, memory};
    const int status = serve(stop, topics, effects);
    limit.emplace(config.consumer.drain_within, process_.log, "consumer.drain_within");
    drain();
    return status;
}

void MainRole::start_workers(const kafka::TopicFacts& facts) {
    const Config& config = process_.config;
    const std::string instance = crypto::random_hex(8);
    const WorkerContext context{.rules = process_.rules,
                                .partitions = partitions_,
                                .decisions = process_.decisions,
                                .publisher = *process_.publisher,
                                .budget = process_.budget,
                                .metrics = process_.metrics,
                                .readiness = process_.readiness,
                                .clock = process_.database_clock,
                                .moves = process_.server_moves,
                                .arrivals = arrivals_,
                                .in_place = config.consumer.in_place,
                                .effects_grace = config.consumer.effects_grace,
                                .watch = &process_.statement_watch};
    for (int i = 0; i < config.consumer.workers; ++i) {
        const std::string name = instance + "-" + std::to_string(i);
        workers_.push_back(std::make_unique<Worker>(
            "worker", partitions_,
            std::make_unique<EventWork>(
                static_cast<std::size_t>(config.consumer.batch), context, config.mysql,
                OffsetWriter{config.kafka.group, facts.topic_id, name, config.kafka.topic}, process_.log)));
    }
}

int MainRole::serve(const std::stop_token& stop, const TopicGuard& topics, const EffectsGuard& effects) {
    while (!stop.stop_requested()) {
        poll_.turn();
        if (!poll_.fatal().empty()) {
            process_.log.error("fatal", {{"reason", poll_.fatal()}});
            return 1;
        }
        if (topics.topic_has_changed() || effects.is_overtaken()) return 1;
    }
    return 0;
}

void MainRole::drain() {
    process_.log.info("draining", {});
    process_.readiness.set_unready("kafka", "draining");
    for (const auto& worker : workers_) worker->ask_stop();
    for (const auto& worker : workers_) worker->stop();
    poll_.leave();
    process_.log.info("stopped", {});
}

bool MainRole::alive() const {
    return !polling_ || process_.clock.steady() - poll_.last_turn() < stuck_after;
}

}  // namespace sluice::consumer
